/* fovea decode: frames of a video as Y4M or raw samples, or their MD5. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "clock.h"
#include "fovea/fovea.h"
#include "image/md5.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/stop.h"

typedef struct Decode {
    const char *output, *reader, *decoder, *device, *progress;
    bool md5, strict;
    int64_t depth, frames, threads;
} Decode;

#define AT(field) offsetof(Decode, field)

static const char *const readers[] = {"auto", "y4m", "icpf", "libav", "libav:FORMAT", NULL};

static const ArgOption options[] = {
    {.section = "Video",
     .name = "reader",
     .kind = ARG_TEXT,
     .offset = AT(reader),
     .value = "NAME",
     .choices = readers,
     .help = "auto, y4m, icpf, libav or libav:FORMAT, which names libavformat's demuxer: what opens the file (auto)"},
    {ROW_DECODER(AT(decoder))},
    {.name = "bitdepth",
     .letter = 'b',
     .kind = ARG_INT,
     .offset = AT(depth),
     .value = "N",
     .minimum = 10,
     .maximum = 12,
     .help = "bits per sample of ProRes frames without container, which do not say it: 10 or 12 (10)"},
    {.name = "frames",
     .kind = ARG_INT,
     .offset = AT(frames),
     .value = "N",
     .minimum = 0,
     .maximum = INT64_MAX,
     .help = "stop after N frames; 0: do not"},
    {.name = "strict",
     .kind = ARG_FLAG,
     .offset = AT(strict),
     .help = "stop at the first damaged frame instead of decoding what is left of it"},
    {.section = "Results",
     .name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .offset = AT(output),
     .value = "FILE",
     .offer = OFFER_FILES,
     .help = "write Y4M, or planar samples when FILE ends with .raw or .yuv; - is Y4M on standard output"},
    {.name = "md5",
     .kind = ARG_FLAG,
     .offset = AT(md5),
     .help = "print the MD5 of every frame: its planes, alpha included, without padding, 16-bit samples low "
             "byte first"},
    {ROW_PROGRESS(AT(progress))},
    {ROW_QUIET(AT(progress))},
    {.section = "Processors",
     .name = "device",
     .kind = ARG_TEXT,
     .offset = AT(device),
     .value = "NAME",
     .help =
         "who decodes: cpu, or a GPU that 'fovea devices' lists: ProRes, and on CUDA also what its video decoders "
         "know; the samples are the same (cpu)"},
    {.name = "threads",
     .kind = ARG_INT,
     .offset = AT(threads),
     .value = "N",
     .minimum = 0,
     .maximum = 256,
     .help = "0: chosen from the processors"},
};

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && !strcmp(path + length - end, ending);
}

static void write_y4m_header(FILE *file, const FvFormat *format)
{
    static const char *const names[] = {"mono", "420", "422", "444"};
    fprintf(file, "YUV4MPEG2 W%d H%d", format->width, format->height);
    if (format->rate_den)
        fprintf(file, " F%d:%d", format->rate_num, format->rate_den);
    fprintf(file, " C%s", names[format->chroma]);
    if (format->depth > 8)
        fprintf(file, format->chroma ? "p%d" : "%d", format->depth);
    if (format->range)
        fprintf(file, " XCOLORRANGE=%s", format->range == FV_RANGE_FULL ? "FULL" : "LIMITED");
    fputc('\n', file);
}

static void write_planes(FILE *file, const FvFrame *frame)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        size_t bytes = (size_t)width * (size_t)fv_format_sample_bytes(&frame->format);
        for (int y = 0; y < height; y++)
            fwrite(frame->data[plane] + y * frame->stride[plane], 1, bytes, file);
    }
}

typedef struct Job {
    const Decode *decode;
    FvSource *source;
    const FvCancel *cancel;
    FvOutput *video, *lines; /* or NULL; lines are those of --md5 */
    bool y4m;
    ProgressStyle style;
    int64_t frames, damaged;
} Job;

static void report_damage(Job *job)
{
    int parts, damaged = fv_source_damaged(job->source, &parts);
    if (!damaged)
        return;
    progress_clear();
    warn("%s: frame %" PRId64 ": %d of %d slices are damaged; what they held is 0", fv_source_info(job->source)->path,
         job->frames, damaged, parts);
    job->damaged++;
}

static bool broken(FvOutput *output)
{
    return output && ferror(fv_output_file(output));
}

static void write_frame(Job *job, const FvFrame *frame)
{
    if (job->lines) {
        char text[MD5_TEXT];
        fprintf(fv_output_file(job->lines), "%s\n",
                md5_frames(text, (const FvFrame *[]){frame, fv_source_alpha(job->source)}, 2));
    }
    if (job->video && job->y4m)
        fputs("FRAME\n", fv_output_file(job->video));
    if (job->video)
        write_planes(fv_output_file(job->video), frame);
}

/* Ends without an error when an output is broken: closing it tells why. */
static FvStatus decode_frames(Job *job, FvError *error)
{
    double start = fv_seconds();
    int64_t most = job->decode->frames, total = fv_source_info(job->source)->frames;
    FvStatus status = FV_OK;
    while (!status && (!most || job->frames < most) && !broken(job->video) && !broken(job->lines)) {
        FvFrame *frame = NULL;
        status = fv_source_read(job->source, &frame, error);
        if (status)
            break;
        report_damage(job);
        write_frame(job, frame);
        fv_frame_unref(&frame);
        job->frames++;
        progress_show(job->style, &(FvProgress){.frames = job->frames,
                                                .total = most && (total < 0 || most < total) ? most : total,
                                                .seconds = fv_seconds() - start});
    }
    progress_finish(job->style);
    if (status == FV_ERROR_PARTIAL)
        return complain(status, "stopped on request after %" PRId64 " frames", job->frames);
    return status && status != FV_END ? (FvStatus)complain(status, "%s", error->message) : FV_OK;
}

static FvStatus open_output(Job *job, FvOutput **output, const char *path, FvError *error)
{
    FvOutputParams params = {
        .path = path, .sources = (const FvSource *const[]){job->source}, .source_count = 1, .cancel = job->cancel};
    FvStatus status = path ? fv_output_open(output, &params, error) : FV_OK;
    return status ? (FvStatus)complain(status, "%s", error->message) : FV_OK;
}

static FvStatus open_outputs(Job *job, FvError *error)
{
    const char *path = job->decode->output;
    FvStatus status = open_output(job, &job->video, path, error);
    if (!status)
        status = open_output(job, &job->lines, job->decode->md5 ? "-" : NULL, error);
    job->y4m = path && !ends_with(path, ".raw") && !ends_with(path, ".yuv");
    if (!status && job->y4m)
        write_y4m_header(fv_output_file(job->video), &fv_source_info(job->source)->format);
    return status;
}

/* A video that is not whole does not get its name, but its good frames are kept under another. */
static FvStatus end_video(Job *job, FvStatus status, FvError *error)
{
    char name[4096];
    if (!status || !job->video)
        return fv_output_close(&job->video, error);
    if (!job->frames) {
        fv_output_discard(&job->video);
        return FV_OK;
    }
    FvStatus kept = fv_output_keep(&job->video, name, sizeof name, error);
    if (!kept && *name)
        warn("the %" PRId64 " frame%s before that %s kept in %s", job->frames, job->frames == 1 ? "" : "s",
             job->frames == 1 ? "is" : "are", name);
    return kept;
}

static FvStatus end_outputs(Job *job, FvStatus status)
{
    FvError error = {0};
    FvStatus ended = end_video(job, status, &error);
    if (ended)
        complain(ended, "%s", error.message);
    FvStatus listed = fv_output_close(&job->lines, &error);
    if (listed)
        complain(listed, "%s", error.message);
    return status ? status : ended ? ended : listed;
}

static int run(const void *values, const ArgList *words)
{
    const Decode *decode = values;
    Job job = {.decode = decode, .style = progress_style(decode->progress)};
    FvError error = {0};
    message_as_json(job.style == PROGRESS_JSON);
    if (words->count != 1)
        return complain(FV_ERROR_USAGE, "fovea decode takes one video");
    if (!decode->md5 && !decode->output)
        return complain(FV_ERROR_USAGE, "nothing to do: give --output FILE or --md5");
    if (decode->md5 && decode->output && !strcmp(decode->output, "-"))
        return complain(FV_ERROR_USAGE, "--md5 and the video cannot both go to standard output");
    if (decode->md5 && !md5_available())
        return complain(FV_ERROR_USAGE, "--md5 needs a build with Nettle");
    FvSourceParams params = {.path = words->items[0],
                             .reader = decode->reader,
                             .raw.depth = (int)decode->depth,
                             .threads = (int)decode->threads,
                             .decoder = decode->decoder,
                             .alpha = decode->md5,
                             .conceal = !decode->strict,
                             .device = decode->device,
                             .cancel = job.cancel = stop_on_signals()};
    if (!job.cancel)
        return FV_ERROR_MEMORY;
    FvStatus status = fv_source_open(&job.source, &params, &error);
    if (status)
        return complain(status, "%s", error.message);
    status = open_outputs(&job, &error);
    if (!status)
        status = decode_frames(&job, &error);
    status = end_outputs(&job, status);
    const char *decoder = fv_source_decoder(job.source);
    if (decoder && strncmp(decoder, "GPU", 3))
        warn("%s: decoded by the %s", fv_source_info(job.source)->path, decoder);
    if (job.damaged)
        warn("%" PRId64 " of %" PRId64 " frames are damaged", job.damaged, job.frames);
    fv_source_close(&job.source);
    return status;
}

const Command command_decode = {
    .name = "decode",
    .summary = "write the frames of a video, or print their MD5 sums",
    .synopsis = "VIDEO (--output FILE | --md5) [OPTION]...",
    .description =
        "Decodes a video to Y4M or planar samples, or prints the MD5 of every frame on a line of its own, to "
        "compare with other decoders. Damaged ProRes frames are decoded as far as they go, with a warning for each; "
        "'fovea score' refuses them.",
    .example = "fovea decode master.mov --md5\nfovea decode master.mov -o master.y4m",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Decode),
    .run = run,
};

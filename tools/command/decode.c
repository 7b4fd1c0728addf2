/* fovea decode: writes the frames of a video as Y4M or raw samples, or prints their MD5. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "clock.h"
#include "compare_text.h"
#include "fovea/fovea.h"
#include "image/md5.h"
#include "little_endian.h"
#include "path_names.h"
#include "remedy.h"

/*
 * Returns whether the output's ending names a format that fovea writes. Names without an ending, and those below
 * /dev, name none and are accepted.
 */
static bool is_known(const char *path)
{
    const char *slash = fv_last_slash(path), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return !dot || dot == name || !strncmp(path, "/dev/", 5) || fv_ends_with(path, ".y4m") ||
           fv_ends_with(path, ".yuv") || fv_ends_with(path, ".raw");
}

static void write_y4m_header(FILE *file, const FvFormat *format)
{
    static const char *const names[] = {"mono", "420", "422", "444", [FV_CHROMA_411] = "411", "440", "410"};
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
        const size_t sample = (size_t)fv_format_sample_bytes(&frame->format);
        for (int y = 0; y < height; y++)
            fv_write_little(file, frame->data[plane] + y * frame->stride[plane], (size_t)width * sample, sample);
    }
}

typedef struct Job {
    const Options *options;
    FvSource *source;
    const FvCancel *cancel;
    FvOutput *video, *lines; /* (`video`) the decoded video; (`lines`) the lines of --md5; either may be NULL */
    bool y4m;
    ProgressStyle style;
    int64_t frames, damaged;
} Job;

static void report_damage(Job *job)
{
    int parts, damaged = fv_source_damaged(job->source, &parts);
    if (!damaged)
        return;
    const char *path = fv_source_info(job->source)->path;
    if (parts == 1)
        warn("%s: frame %" PRId64 " cannot be decoded; its samples are 0", path, job->frames);
    else
        warn("%s: frame %" PRId64 ": %d of %d slices are damaged; their samples are 0", path, job->frames, damaged,
             parts);
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

/*
 * Decodes the frames. Stops without an error if an output is broken, because closing the output reports the reason.
 */
static FvStatus decode_frames(Job *job, FvError *error)
{
    double start = fv_seconds();
    int64_t most = job->options->run.score.frames, total = fv_source_info(job->source)->frames;
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
        progress_show(job->style,
                      &(FvProgress){.frames = job->frames,
                                    .total = most && (total < 0 || most < total) ? most : total,
                                    .seconds = fv_seconds() - start},
                      NULL);
    }
    progress_finish(job->style);
    if (status == FV_ERROR_PARTIAL)
        return report_error(FV_FAIL_STOPPED, "stopped on request after %" PRId64 " frames", job->frames);
    return status == FV_END ? FV_OK : report_error_if(status, error);
}

static FvStatus open_output(Job *job, FvOutput **output, const char *path, FvError *error)
{
    FvOutputParams params = {
        .path = path, .sources = (const FvSource *const[]){job->source}, .source_count = 1, .cancel = job->cancel};
    FvStatus status = path ? fv_output_open(output, &params, error) : FV_OK;
    return report_error_if(status, error);
}

static FvStatus open_outputs(Job *job, FvError *error)
{
    const char *path = job->options->output;
    FvStatus status = open_output(job, &job->video, path, error);
    if (!status)
        status = open_output(job, &job->lines, job->options->md5 ? "-" : NULL, error);
    job->y4m = path && !fv_ends_with(path, ".raw") && !fv_ends_with(path, ".yuv");
    if (!status && job->y4m)
        write_y4m_header(fv_output_file(job->video), &fv_source_info(job->source)->format);
    return status;
}

/* Ends the video. An incomplete one does not get its final name; its complete frames are kept under another name. */
static FvStatus end_video(Job *job, FvStatus status, FvError *error)
{
    char name[4096];
    if (!status || !job->video)
        return fv_output_close(&job->video, error);
    if (!job->frames) {
        fv_output_discard(&job->video);
        return FV_OK;
    }
    FvStatus kept = fv_output_keep_partial(&job->video, name, sizeof name, error);
    if (!kept && *name)
        warn("the %" PRId64 " frame%s before that %s kept in %s", job->frames, job->frames == 1 ? "" : "s",
             job->frames == 1 ? "is" : "are", name);
    return kept;
}

static FvStatus end_outputs(Job *job, FvStatus status)
{
    FvError error = {0};
    FvStatus ended = report_error_if(end_video(job, status, &error), &error);
    FvStatus listed = report_error_if(fv_output_close(&job->lines, &error), &error);
    return status ? status : ended ? ended : listed;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    Job job = {.options = options, .style = progress_style(options->progress, options->quiet)};
    FvError error = {0};
    fv_remedy_for_one_video();
    if (words->count != 1)
        return report_error(FV_ERROR_USAGE, "fovea decode takes one video");
    if (!options->md5 && !options->output)
        return report_error(FV_ERROR_USAGE, "no output: give --output FILE or --md5");
    if (options->output && !is_known(options->output))
        return report_error(
            FV_ERROR_USAGE,
            "-o %s: fovea decode writes samples without compression; name a file that ends with .y4m, .yuv "
            "or .raw",
            options->output);
    if (options->md5 && options->output && !strcmp(options->output, "-"))
        return report_error(
            FV_ERROR_USAGE,
            "--md5 and the video cannot both go to standard output; write the video to a file with -o FILE");
    if (options->md5 && !md5_available())
        return report_error(FV_ERROR_USAGE, "--md5 needs a build with Nettle");
    enum { UNSPECIFIED = 2 }; /* code point of H.273; a change of colour does not matter here */
    FvRunParams given = options->run;
    FvSourceParams *params = &given.source[1];
    FvFormat *tags = &params->tags;
    tags->transfer = tags->transfer ? tags->transfer : UNSPECIFIED;
    tags->primaries = tags->primaries ? tags->primaries : UNSPECIFIED;
    tags->matrix = tags->matrix || given.convert_rgb ? tags->matrix : UNSPECIFIED;
    params->path = words->items[0];
    params->threads = given.session.threads < 256 ? given.session.threads : 256;
    params->rgb = given.convert_rgb ? FV_RGB_CONVERT : FV_RGB_REFUSE;
    params->alpha = options->md5 && !params->rotate;
    params->conceal = !options->refuse_damage;
    params->device = given.session.device;
    params->cancel = job.cancel = stop_on_signals();
    if (!job.cancel)
        return FV_ERROR_MEMORY;
    FvStatus status = fv_source_open(&job.source, params, &error);
    if (report_error_if(status, &error))
        return status;
    if (fv_source_info(job.source)->floats && !(given.score.convert & FV_CONVERT_DEPTH)) {
        status =
            report_error(FV_FAIL_FORMAT,
                         "%s has samples of floating point; --convert depth%s brings them to 16 bits, numbers from "
                         "0 to 1 to the whole range, and refuses others",
                         params->path, given.convert_rgb ? ",rgb" : "");
        fv_source_close(&job.source);
        return status;
    }
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
        "compare with other decoders. Damaged ProRes frames are decoded as far as possible, with a warning for "
        "each; 'fovea score' refuses them.",
    .example = "fovea decode master.mov --md5\nfovea decode master.mov -o master.y4m",
    OPTIONS_OF(FOR_DECODE),
    .run = run,
};

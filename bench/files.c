/* The part of fovea bench that scores two Y4M files (--files), and finds which part of the run limits its rate. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "clock.h"
#include "measure.h"

#define SHORT_FRAMES 120 /* number of frames of the first of two runs */
/* Number of frames that are scored before the measured runs, so that these include neither the device's self-test nor
 * the first read of the files. */
#define WARM_FRAMES 2

typedef struct Files {
    char folder[4096], path[2][4112]; /* paths of the reference and the distorted video */
    bool read; /* the files were read completely once, because the system needs longer for the first read of a page */
} Files;

/* One run, from opening the device to the last score. */
typedef struct Passage {
    double seconds;
    FvTiming timing;
    char limited_by[128];
} Passage;

static bool write_frame(FILE *file, const FvFrame *frame)
{
    bool good = fputs("FRAME\n", file) >= 0;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        const size_t row = (size_t)width * (size_t)fv_format_sample_bytes(&frame->format);
        for (int y = 0; y < height && good; y++)
            good = fwrite(frame->data[plane] + y * frame->stride[plane], row, 1, file) == 1;
    }
    return good;
}

/* Writes a Y4M file of `total` frames, which repeats the `count` frames. */
static bool write_video(const char *path, FvFrame *const *frames, int count, int64_t total)
{
    const FvFormat *format = &frames[0]->format;
    FILE *file = fopen(path, "wbx");
    char depth[16] = "";
    if (format->depth > 8)
        snprintf(depth, sizeof depth, "p%d", format->depth);
    bool good = file && !setvbuf(file, NULL, _IOFBF, 1 << 20) &&
                fprintf(file, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420%s XCOLORRANGE=LIMITED\n", format->width,
                        format->height, depth) > 0;
    for (int64_t i = 0; i < total && good; i++)
        good = write_frame(file, frames[i % count]);
    return file && !fclose(file) && good;
}

static void remove_files(const Files *files)
{
    for (int side = 0; side < 2; side++)
        unlink(files->path[side]);
    rmdir(files->folder);
}

static int write_files(Files *files, const Plan *plan, const Clip *clip)
{
    const int length = snprintf(files->folder, sizeof files->folder, "%s/fovea-bench-XXXXXX", plan->folder);
    if (length < 0 || length >= (int)sizeof files->folder || !mkdtemp(files->folder))
        return report_error(FV_ERROR_OUTPUT, "--files %s: no folder can be made there: %s", plan->folder,
                            strerror(errno));
    for (int side = 0; side < 2; side++)
        snprintf(files->path[side], sizeof files->path[side], "%s/%s", files->folder, side ? "dis.y4m" : "ref.y4m");
    for (int side = 0; side < 2; side++)
        if (!write_video(files->path[side], side ? clip->dis : clip->ref, clip->pairs, plan->frames)) {
            int status =
                report_error(FV_ERROR_OUTPUT, "%s: cannot be written: %s", files->path[side], strerror(errno));
            remove_files(files);
            return status;
        }
    return EXIT_OK;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Passage *passage = opaque;
    passage->timing = progress->timing;
    snprintf(passage->limited_by, sizeof passage->limited_by, "%s",
             progress->timing.limited_by ? progress->timing.limited_by : "");
    return true;
}

static FvStatus pass(Passage *passage, const Files *files, const FvSessionParams *params, const char *metrics,
                     int64_t frames, FvError *error)
{
    FvSession *session = NULL;
    FvSource *source[2] = {NULL, NULL};
    const FvScoreParams score = {.frames = frames, .progress = on_progress, .opaque = passage};
    *passage = (Passage){.seconds = -fv_seconds()};
    FvStatus status = fv_session_open(&session, params, error);
    if (!status)
        status = fv_session_add(session, metrics, error);
    for (int side = 0; side < 2 && !status; side++) {
        const int threads = params->threads < 256 ? params->threads : 256;
        status =
            fv_source_open(&source[side], &(FvSourceParams){.path = files->path[side], .threads = threads}, error);
    }
    if (!status)
        status = fv_score(session, source[0], source[1], &score, error);
    passage->seconds += fv_seconds();
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    fv_session_close(&session);
    return status;
}

static void print_rate(double rate)
{
    if (rate > 0)
        printf(" %9.1f", rate);
    else
        printf(" %9s", "-");
}

static FvStatus measure_files(const Plan *plan, Files *files, const Clip *clip, const FvSessionParams *params,
                              const char *metrics, FvError *error)
{
    const int64_t few = plan->frames < SHORT_FRAMES ? plan->frames : SHORT_FRAMES;
    Passage warm, first, whole;
    const int64_t before = files->read && plan->frames > WARM_FRAMES ? WARM_FRAMES : plan->frames;
    FvStatus status = pass(&warm, files, params, metrics, before, error);
    files->read = true;
    if (!status)
        status = pass(&first, files, params, metrics, few, error);
    if (!status)
        status = pass(&whole, files, params, metrics, plan->frames, error);
    if (status)
        return status;
    char video[40], where[40];
    snprintf(video, sizeof video, "%dx%d %d", clip->format.width, clip->format.height, clip->format.depth);
    snprintf(where, sizeof where, "%s", params->device);
    if (!strcmp(params->device, "cpu"))
        snprintf(where, sizeof where, "cpu, %d", params->threads);
    printf("%-13s %-9s %-24s", video, where, metrics);
    print_rate((double)few / first.seconds);
    print_rate((double)plan->frames / whole.seconds);
    print_rate(whole.timing.reading[0]);
    print_rate(whole.timing.reading[1]);
    print_rate(whole.timing.transfer);
    print_rate(whole.timing.scoring);
    printf("  %s\n", whole.limited_by);
    fflush(stdout);
    return FV_OK;
}

static int bench_clip(void *opaque, const Clip *clip)
{
    const Plan *plan = opaque;
    Files files = {.read = false};
    FvError error = {0};
    FvStatus status = FV_OK;
    int written = write_files(&files, plan, clip);
    if (written)
        return written;
    for (int m = 0; m < plan->metric_count && !status; m++) {
        for (int i = 0; i < plan->device_count && !status; i++) {
            const FvSessionParams params = {.device = plan->devices[i], .in_flight = plan->in_flight};
            status = measure_files(plan, &files, clip, &params, plan->metrics[m], &error);
        }
        for (int i = 0; i < plan->thread_count && !plan->device_count && !status; i++) {
            const FvSessionParams params = {
                .device = "cpu", .isa = plan->isas[0], .threads = plan->threads[i], .in_flight = plan->in_flight};
            status = measure_files(plan, &files, clip, &params, plan->metrics[m], &error);
        }
    }
    if (plan->keep)
        printf("%s\n%s\n", files.path[0], files.path[1]);
    else
        remove_files(&files);
    return status ? report_error(status, "%s", error.message) : EXIT_OK;
}

int bench_files(const Plan *plan)
{
    if (access(plan->folder, W_OK | X_OK))
        return report_error(FV_ERROR_OUTPUT, "--files %s: cannot be written to: %s", plan->folder, strerror(errno));
    printf("%-13s %-9s %-24s %9s %9s %9s %9s %9s %9s  %s\n", "video", "device", "pairs/s of", "first 120", "all",
           "read ref", "read dis", "transfer", "scoring", "limited by");
    return plan_each_clip(plan, bench_clip, (void *)plan);
}

/* The part of fovea bench that measures metrics on GPUs. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "clock.h"
#include "copy.h"
#include "gpu/device.h"
#include "measure.h"
#include "packets.h"
#include "picture/frame.h"
#include "record.h"
#include "scale_gpu.h"
#include "scoring/choice.h"
#include "session/state.h"
#include "steady.h"

/* Bytes of different frames to use, more than any cache holds. */
#define CLIP_BYTES 4e8
#define MIN_PAIRS 4    /* minimum number of resident pairs */
#define MOST_PAIRS 512 /* maximum number of pairs */

/* The input: a clip, or packets when clip is NULL. */
typedef struct Video {
    const Clip *clip;
    Packets *reference, *distorted; /* path NULL: there is no reference */
} Video;

static const FvFormat *distorted_format(const Video *video)
{
    return video->clip ? &video->clip->format : &video->distorted->format;
}

static const FvFormat *reference_format(const Video *video)
{
    return video->clip ? &video->clip->format : video->reference->path ? &video->reference->format : NULL;
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

/* A session and the pairs that are pushed to it in rotation. */
typedef struct Lane {
    FvSession *session;
    FvFrame **ref, **dis;
    int pairs;
    int64_t pushed;
} Lane;

static FvStatus make_frames(Lane *lane, const Video *video, Origin origin, FvError *error)
{
    const Packets *reference = video->reference, *distorted = video->distorted;
    FvStatus status = FV_OK;
    for (int i = 0; i < lane->pairs && !status; i++)
        if (origin == PACKETS) {
            lane->ref[i] = reference->path ? fv_frame_ref(reference->frames[i]) : NULL;
            lane->dis[i] = fv_frame_ref(distorted->frames[i]);
        } else {
            status = bench_frame(lane->session, &lane->ref[i], video->clip->ref[i % 2], origin, error);
            if (!status)
                status = bench_frame(lane->session, &lane->dis[i], video->clip->dis[i % 2], origin, error);
        }
    return status;
}

static FvStatus fill_lane(Lane *lane, const Video *video, Origin origin, FvError *error)
{
    double pairs = CLIP_BYTES / (2. * (double)fv_format_plane_bytes(distorted_format(video)));
    pairs = origin == PACKETS ? 0 : pairs < MOST_PAIRS ? pairs : MOST_PAIRS;
    /* More pairs than the device caches, so that every push is an upload. */
    int least = origin == RESIDENT ? MIN_PAIRS : 2 * lane->session->flight.most + 4;
    lane->pairs = pairs < least ? least : (int)pairs;
    lane->ref = calloc((size_t)lane->pairs, sizeof *lane->ref);
    lane->dis = calloc((size_t)lane->pairs, sizeof *lane->dis);
    FvStatus status = lane->ref && lane->dis ? FV_OK : fv_fail_memory(error, (size_t)lane->pairs * sizeof *lane->ref);
    if (!status && origin == PACKETS)
        status = packets_read(video->distorted, lane->pairs, error);
    if (!status && origin == PACKETS && video->reference->path)
        status = packets_read(video->reference, lane->pairs, error);
    return status ? status : make_frames(lane, video, origin, error);
}

/* ---- Sessions -------------------------------------------------------------------------------------------------- */

/*
 * Opens a session. If the device does not compute all of the metrics, prints a line that says so and returns FV_END.
 */
static FvStatus open_lane(Lane *lane, const Plan *plan, const char *device, const char *metrics, const Video *video,
                          Origin origin, FvError *error)
{
    FvSessionParams params = {.device = device, .threads = 1, .in_flight = plan->in_flight};
    FvStatus status = fv_session_open(&lane->session, &params, error);
    if (!status)
        status = fv_session_add(lane->session, metrics, error);
    if (!status)
        status = fv_session_start(lane->session, reference_format(video), distorted_format(video), error);
    if (!status && lane->session->devices.opened[1]) {
        int last = fv_session_decisions(lane->session) - 1;
        printf("%-27s not measured on %s: %s\n", metrics, device, fv_session_decision(lane->session, last));
        return FV_END;
    }
    return status ? status : fill_lane(lane, video, origin, error);
}

static void close_lane(Lane *lane)
{
    for (int i = 0; i < lane->pairs && lane->ref && lane->dis; i++) {
        fv_frame_unref(&lane->ref[i]);
        fv_frame_unref(&lane->dis[i]);
    }
    free(lane->ref);
    free(lane->dis);
    fv_session_close(&lane->session);
}

/*
 * A SteadyWork that pushes pairs. They finish batch by batch, so it counts only whole rounds of the pairs in flight.
 */
static FvStatus push_for(void *what, double seconds, double *rate, FvError *error)
{
    Lane *lane = what;
    const double start = fv_seconds();
    const int64_t first = lane->pushed;
    double passed = 0;
    FvStatus status = FV_OK;
    while (!status && (passed < seconds || (lane->pushed - first) % lane->session->flight.most)) {
        const int i = (int)(lane->pushed % lane->pairs);
        status = fv_session_push(lane->session, lane->pushed++, lane->ref[i], lane->dis[i], error);
        passed = fv_seconds() - start;
    }
    *rate = (double)(lane->pushed - first) / passed;
    return status;
}

/* A SteadyRest that waits for the pairs in flight. */
static FvStatus finish_pushed(void *what, FvError *error)
{
    return fv_session_drain(((Lane *)what)->session, error);
}

/* Returns the bytes of a pair that go over the bus or, for resident frames, are read from memory. */
static double pair_bytes(const Lane *lane, const Video *video, Origin origin)
{
    if (origin == RESIDENT)
        return 2. * (double)fv_format_plane_bytes(distorted_format(video));
    return (double)fv_gpu_device_sent(lane->session->devices.opened[0]) / (double)lane->pushed;
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

static void print_head(void)
{
    printf("%-27s %-22s %-9s %-9s %10s %7s %10s %8s %8s %8s\n", "metrics", "video", "device", "frames", "frames/s",
           "spread", "best", "GB/s", "of copy", "warm-up");
}

static void print_row(const char *metrics, const Video *video, const char *device, const char *title, Origin origin,
                      const Steady *result, double bytes, const CopyRates *copies)
{
    char text[64];
    const FvFormat *format = distorted_format(video);
    double limit = origin == RESIDENT ? copies->inside : copies->to;
    snprintf(text, sizeof text, "%dx%d %s %d-bit", format->width, format->height, fv_chroma_name(format->chroma),
             format->depth);
    printf("%-27s %-22s %-9s %-9s %10.1f %6.1f%% %10.1f %8.2f %7.1f%% %6.1f s%s\n", metrics, text, device,
           origin_names[origin], result->median, 100 * result->spread, result->best, result->median * bytes * 1e-9,
           100 * result->median * bytes / limit, result->warm_up, result->settled ? "" : "+");
    fflush(stdout);
    char what[256];
    snprintf(what, sizeof what, "%s, %s, %s, %s", metrics, text, device, origin_names[origin]);
    record_add(what, title, result->median);
}

/*
 * Prints the time of each kernel. Timing launches one by one keeps them from overlapping, so this is a separate run,
 * on a warm device.
 */
static FvStatus print_kernels(Lane *lane, double seconds, FvError *error)
{
    double rate;
    const FvGpu *gpu = fv_gpu_of_device(lane->session->devices.opened[0]);
    FvStatus status = push_for(lane, seconds, &rate, error);
    if (!status)
        status = fv_session_finish(lane->session, error);
    for (int i = 0; i < gpu->time_count && !status; i++)
        printf("    %-46s %-9s %8.1f us a pair\n", gpu->times[i].name, gpu->ops->kind,
               1e6 * gpu->times[i].seconds / (double)lane->pushed);
    return status;
}

/* ---- Measurements ---------------------------------------------------------------------------------------------- */

/*
 * Loads the kernels before the measurement, so that the device does not lower its clock during the loading. A kernel
 * that does not load because the device lacks doubles is not launched either.
 */
static void load_kernels(const FvSession *session)
{
    FvGpu *gpu = fv_gpu_of_device(session->devices.opened[0]);
    FvError ignored;
    for (int i = 0; i < session->runs.count; i++)
        for (const FvKernel *const *kernel = session->runs.run[i].feature->gpu->kernels; *kernel; kernel++)
            gpu->ops->load(gpu, kernel, 1, 1, &ignored);
}

/* The sessions of all devices: one per line of the result, and a second one per line with timed kernels. */
typedef struct Race {
    Lane lanes[2 * BENCH_MAX_LIST];
    Steady results[BENCH_MAX_LIST];
} Race;

static FvStatus run_race(Race *race, const Plan *plan, const char *metrics, const Video *video, Origin origin,
                         const CopyRates *copies, FvError *error)
{
    const int count = plan->device_count;
    const bool kernels = origin == RESIDENT || origin == PACKETS;
    Lane *timed = race->lanes + count;
    void *what[BENCH_MAX_LIST] = {NULL};
    FvStatus status = FV_OK;
    for (int i = 0; i < count && !status; i++) {
        what[i] = &race->lanes[i];
        status = open_lane(&race->lanes[i], plan, plan->devices[i], metrics, video, origin, error);
        if (!status && kernels)
            status = open_lane(&timed[i], plan, plan->devices[i], metrics, video, origin, error);
        if (!status && kernels) {
            fv_gpu_of_device(timed[i].session->devices.opened[0])->profile = true;
            load_kernels(timed[i].session);
        }
    }
    if (!status)
        status = steady_measure(push_for, finish_pushed, what, count, plan->seconds, race->results, error);
    for (int i = 0; i < count && !status; i++)
        status = fv_session_drain(race->lanes[i].session, error);
    for (int i = 0; i < count && !status; i++)
        print_row(metrics, video, plan->devices[i], race->lanes[i].session->devices.opened[0]->title, origin,
                  &race->results[i], pair_bytes(&race->lanes[i], video, origin), &copies[i]);
    for (int i = 0; i < count && !status && kernels; i++)
        status = print_kernels(&timed[i], plan->seconds, error);
    return status;
}

/* Measures one list of metrics on all devices. FV_END: a device does not compute the metrics. */
static FvStatus measure_metrics(const Plan *plan, const char *metrics, const Video *video, Origin origin,
                                const CopyRates *copies)
{
    FvError error = {.message = "out of memory"};
    Race *race = calloc(1, sizeof *race);
    FvStatus status = race ? run_race(race, plan, metrics, video, origin, copies, &error) : FV_ERROR_MEMORY;
    for (int i = 0; race && i < 2 * plan->device_count; i++)
        close_lane(&race->lanes[i]);
    free(race);
    if (status && status != FV_END)
        report_error(status, "%s", error.message);
    return status;
}

/* Measures every list of metrics, with frames from every origin. */
static FvStatus measure_all(const Plan *plan, const Video *video, const CopyRates *copies)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < plan->metric_count && (!status || status == FV_END); i++) {
        status = FV_OK;
        for (int origin = 0; origin < ORIGINS && !status; origin++)
            if (plan->from[origin])
                status = measure_metrics(plan, plan->metrics[i], video, (Origin)origin, copies);
    }
    return status == FV_END ? FV_OK : status;
}

/* ---- Scaling --------------------------------------------------------------------------------------------------- */

static FvStatus race_scaling(const Plan *plan, const Clip *clip, Origin origin, const CopyRates *copies,
                             ScaleLane *lanes[2 * BENCH_MAX_LIST], FvError *error)
{
    const int count = plan->device_count;
    const Video video = {.clip = clip};
    Steady results[BENCH_MAX_LIST];
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 * count && !status; i++)
        status = scale_lane_open(&lanes[i], plan->devices[i % count], clip, origin, i >= count, error);
    if (!status)
        status = steady_measure(scale_lane_run, NULL, (void *const *)lanes, count, plan->seconds, results, error);
    for (int i = 0; i < count && !status; i++)
        print_row("scaling from 2/3", &video, plan->devices[i], scale_lane_title(lanes[i]), origin, &results[i],
                  scale_lane_bytes(lanes[i]), &copies[i]);
    for (int i = count; i < 2 * count && !status; i++)
        status = scale_lane_print(lanes[i], plan->seconds, error);
    return status;
}

static int bench_scaling(const Plan *plan, const Clip *clip, const CopyRates *copies)
{
    int status = EXIT_OK;
    for (int origin = RESIDENT; origin <= PAGEABLE && !status; origin++) {
        ScaleLane *lanes[2 * BENCH_MAX_LIST] = {NULL};
        FvError error = {.message = "out of memory"};
        if (!plan->from[origin])
            continue;
        status = race_scaling(plan, clip, (Origin)origin, copies, lanes, &error);
        for (int i = 0; i < 2 * plan->device_count; i++)
            scale_lane_close(&lanes[i]);
        status = status ? report_error(status, "%s", error.message) : EXIT_OK;
    }
    return status;
}

typedef struct Bench {
    const Plan *plan;
    CopyRates copies[BENCH_MAX_LIST];
} Bench;

static int bench_clip(void *opaque, const Clip *clip)
{
    const Bench *bench = opaque;
    int status = measure_all(bench->plan, &(Video){.clip = clip}, bench->copies);
    return status || !bench->plan->scaling ? status : bench_scaling(bench->plan, clip, bench->copies);
}

static int bench_copies(Bench *bench)
{
    const Plan *plan = bench->plan;
    FvError error = {.message = "out of memory"};
    FvStatus status = copy_measure(plan->devices, plan->device_count, plan->seconds, bench->copies, &error);
    if (status)
        return report_error(status, "%s", error.message);
    print_head();
    return EXIT_OK;
}

static int bench_packets(Bench *bench)
{
    const Plan *plan = bench->plan;
    Packets reference = {.path = plan->reference, .depth = plan->packet_depth};
    Packets distorted = {.path = plan->distorted, .depth = plan->packet_depth};
    FvError error = {0};
    int status = packets_read(&distorted, 1, &error);
    if (!status && plan->reference)
        status = packets_read(&reference, 1, &error);
    status = status ? report_error(status, "%s", error.message) : bench_copies(bench);
    if (!status)
        status = measure_all(plan, &(Video){.reference = &reference, .distorted = &distorted}, bench->copies);
    packets_free(&reference);
    packets_free(&distorted);
    return status;
}

int bench_gpu(const Plan *plan)
{
    Bench bench = {.plan = plan};
    if (plan->distorted)
        return bench_packets(&bench);
    int status = bench_copies(&bench);
    return status ? status : plan_each_clip(plan, bench_clip, &bench);
}

/* The part of fovea bench that measures metrics on the CPU. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "json.h"
#include "measure.h"
#include "order.h"
#include "os/processors.h"
#include "record.h"
#include "scale.h"
#include "scoring/choice.h"

#define ROUNDS 7 /* number of rounds; the median counts */
#define MAX_RUNS 512

/* ---- One measurement ---------------------------------------------------------------------------------------- */

/* A line of the result: metrics of one session, scaling, or the plain copy. */
typedef struct Run {
    const char *metrics, *isa;
    int threads, in_flight, frames;
    bool scales;            /* measures the scaling of a video instead of metrics */
    bool cpu_time;          /* one thread: measures CPU time, which other programs disturb less than wall time */
    double seconds[ROUNDS]; /* seconds per frame in each round */
} Run;

static double now(bool cpu_time)
{
    struct timespec t;
    clock_gettime(cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double copy_frames(const Clip *clip, int frames)
{
    double start = now(true);
    for (int i = 0; i < frames; i++) {
        const FvFrame *from = clip->ref[i % clip->pairs], *to = clip->copy[i % clip->pairs];
        for (int plane = 0; plane < fv_format_planes(&clip->format); plane++) {
            int width, height;
            fv_format_plane_size(&clip->format, plane, &width, &height);
            memcpy(to->data[plane], from->data[plane], (size_t)from->stride[plane] * height);
        }
    }
    return now(true) - start;
}

static FvStatus score_frames(const Clip *clip, const Run *run, double *seconds, FvError *error)
{
    FvSessionParams params = {.device = "cpu", .isa = run->isa, .threads = run->threads, .in_flight = run->in_flight};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &params, error);
    if (!status)
        status = fv_session_add(session, run->metrics, error);
    if (!status)
        status = fv_session_start(session, &clip->format, &clip->format, error);
    double start = now(run->cpu_time);
    for (int i = 0; i < run->frames && !status; i++)
        status = fv_session_push(session, i, clip->ref[i % clip->pairs], clip->dis[i % clip->pairs], error);
    if (!status)
        status = fv_session_finish(session, error);
    *seconds = now(run->cpu_time) - start;
    fv_session_close(&session);
    return status;
}

static FvStatus scale_frames(const Clip *clip, const Run *run, double *seconds, FvError *error)
{
    BenchScale *scale;
    FvStatus status = bench_scale_open(&scale, clip, run->isa, run->threads, error);
    const double start = now(run->cpu_time);
    if (!status)
        status = bench_scale_run(scale, run->frames, error);
    *seconds = now(run->cpu_time) - start;
    bench_scale_close(&scale);
    return status;
}

static FvStatus measure_run(const Clip *clip, Run *run, int round, FvError *error)
{
    FvStatus status = FV_OK;
    if (run->scales)
        status = scale_frames(clip, run, &run->seconds[round], error);
    else if (run->metrics)
        status = score_frames(clip, run, &run->seconds[round], error);
    else
        run->seconds[round] = copy_frames(clip, run->frames);
    run->seconds[round] /= run->frames;
    return status;
}

/* Finds the number of frames that take `seconds`. */
static FvStatus calibrate(const Clip *clip, Run *run, double seconds, FvError *error)
{
    run->frames = 2;
    FvStatus status = measure_run(clip, run, 0, error);
    double frames = seconds / (run->seconds[0] > 1e-6 ? run->seconds[0] : 1e-6) + 1;
    run->frames = frames < 4 ? 4 : frames > 10000 ? 10000 : (int)frames;
    return status;
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

typedef struct Output {
    const Plan *plan;
    FvJson json;
    int rows;
} Output;

/* Prints a line. `first`: the median of the first line about the same metrics. */
static void print_run(Output *output, const Clip *clip, const Run *run, double first)
{
    const char *metric = run->metrics ? run->metrics : "plain copy";
    const char *isa = run->metrics ? run->isa : "memcpy", *clock = run->cpu_time ? "cpu" : "wall";
    double median = run->seconds[ROUNDS / 2], fps = 1 / median, rate = clip->pair_bytes / median * 1e-9;
    double spread = 100 * (run->seconds[ROUNDS * 3 / 4] - run->seconds[ROUNDS / 4]) / median;
    const FvFormat *format = &clip->format;
    if (output->plan->style == BENCH_JSON) {
        FvJson *json = &output->json;
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "metric", metric);
        fv_json_int(json, "width", format->width);
        fv_json_int(json, "height", format->height);
        fv_json_int(json, "depth", format->depth);
        fv_json_text(json, "device", "cpu");
        fv_json_text(json, "isa", isa);
        fv_json_int(json, "threads", run->threads);
        fv_json_text(json, "clock", clock);
        fv_json_real(json, "frames_per_second", fps);
        fv_json_real(json, "gigabytes_per_second", rate);
        fv_json_real(json, "spread_percent", spread);
        fv_json_real(json, "speedup", first / median);
        fv_json_close(json);
    } else if (output->plan->style == BENCH_CSV) {
        if (!output->rows)
            puts("metric,width,height,depth,device,isa,threads,clock,frames_per_second,gigabytes_per_second,"
                 "spread_percent,speedup");
        printf("\"%s\",%d,%d,%d,cpu,%s,%d,%s,%.6g,%.6g,%.3g,%.4g\n", metric, format->width, format->height,
               format->depth, isa, run->threads, clock, fps, rate, spread, first / median);
    } else {
        if (!output->rows)
            printf("%-20s %-10s %5s %-7s %7s %5s %10s %8s %7s %8s\n", "metric", "size", "depth", "isa", "threads",
                   "clock", "frames/s", "GB/s", "spread", "speed-up");
        printf("%-20s %4dx%-5d %5d %-7s %7d %5s %10.1f %8.2f %6.1f%% %7.2fx\n", metric, format->width, format->height,
               format->depth, isa, run->threads, clock, fps, rate, spread, first / median);
    }
    output->rows++;
    fflush(stdout);
    char what[256], title[256];
    snprintf(what, sizeof what, "%s, %dx%d %d-bit, %s, %d thread%s", metric, format->width, format->height,
             format->depth, isa, run->threads, run->threads == 1 ? "" : "s");
    fv_processor_title(title, sizeof title);
    record_add(what, title, fps);
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

static int list_runs(const Plan *plan, Run *runs)
{
    int count = 0;
    const int metrics = plan->metric_count;
    runs[count++] = (Run){.threads = 1, .cpu_time = true};
    for (int metric = 0; metric < metrics + plan->scaling; metric++)
        for (int isa = 0; isa < plan->isa_count; isa++)
            for (int threads = 0; threads < plan->thread_count && count < MAX_RUNS; threads++)
                runs[count++] = (Run){.metrics = metric < metrics ? plan->metrics[metric] : "scaling from 2/3",
                                      .scales = metric == metrics,
                                      .isa = plan->isas[isa],
                                      .threads = plan->threads[threads],
                                      .in_flight = plan->in_flight,
                                      .cpu_time = plan->threads[threads] == 1};
    return count;
}

/*
 * Measures a clip of one size and depth. Each round covers all runs, so that a change of the machine's speed affects
 * all runs.
 */
static int bench_clip(void *opaque, const Clip *clip)
{
    Output *output = opaque;
    Run *runs = calloc(MAX_RUNS, sizeof *runs);
    if (!runs)
        return report_error(FV_ERROR_MEMORY, "out of memory");
    int count = list_runs(output->plan, runs), status = EXIT_OK;
    FvError error = {0};
    for (int i = 0; i < count && !status; i++)
        status = calibrate(clip, &runs[i], output->plan->seconds, &error);
    for (int round = 0; round < ROUNDS && !status; round++)
        for (int i = 0; i < count && !status; i++)
            status = measure_run(clip, &runs[i], round, &error);
    if (status)
        report_error(status, "%s", error.message);
    double first = 0;
    for (int i = 0; i < count && !status; i++) {
        qsort(runs[i].seconds, ROUNDS, sizeof(double), fv_compare_reals);
        if (!i || runs[i].metrics != runs[i - 1].metrics)
            first = runs[i].seconds[ROUNDS / 2];
        print_run(output, clip, &runs[i], first);
    }
    free(runs);
    return status;
}

int bench_cpu(const Plan *plan)
{
    Output output = {.plan = plan, .json = {.file = stdout}};
    if (plan->style == BENCH_JSON)
        fv_json_open(&output.json, NULL, '[');
    int status = plan_each_clip(plan, bench_clip, &output);
    if (plan->style == BENCH_JSON)
        fv_json_close(&output.json);
    return status;
}

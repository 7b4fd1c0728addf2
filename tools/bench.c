/* fovea bench: how fast the kernels and the whole metrics are on this machine. Needs no file. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench_gpu.h"
#include "command.h"
#include "fovea/fovea.h"
#include "json.h"
#include "message.h"
#include "parity.h"
#include "synth.h"

#define ROUNDS 7
#define SECONDS 0.25       /* of one measurement */
#define CLIP_BYTES 2e8     /* frames in turn, so that they come from memory and not from a cache */
#define MIN_PAIRS 4
#define MAX_RUNS 512
#define MAX_LIST 16

typedef struct Bench {
    bool kernels, metrics, csv, json;
    ArgList metric, size, depth, isa, threads;
    const char *device, *filter, *clip;
} Bench;

/* ---- The clip ----------------------------------------------------------------------------------------------- */

/* Pairs of frames: two that differ, and copies of them at other addresses. `copy` is where the plain copy goes. */
typedef struct Clip {
    FvFormat format;
    FvFrame **ref, **dis, **copy;
    int pairs;
    double pair_bytes; /* of samples */
} Clip;

static void clip_free(Clip *clip)
{
    for (int i = 0; i < clip->pairs; i++) {
        fv_frame_unref(&clip->ref[i]);
        fv_frame_unref(&clip->dis[i]);
        fv_frame_unref(&clip->copy[i]);
    }
    free(clip->ref);
    *clip = (Clip){0};
}

static FvStatus clip_frame(FvFrame **frame, const SynthClip *synth, FvFrame *const *before, int i, FvError *error)
{
    if (i >= 2)
        return fv_frame_copy(frame, &before[i % 2]->format, (const void *const *)before[i % 2]->data,
                             before[i % 2]->stride, error);
    *frame = synth_frame(synth, i);
    return *frame ? FV_OK : FV_ERROR_MEMORY;
}

static FvStatus clip_make(Clip *clip, int width, int height, int depth, SynthKind kind, FvError *error)
{
    SynthClip ref = {width, height, FV_CHROMA_420, depth, 7, SYNTH_REF}, dis = ref;
    dis.kind = kind;
    *clip = (Clip){.format = synth_format(&ref)};
    for (int plane = 0; plane < fv_format_planes(&clip->format); plane++) {
        int w, h;
        fv_format_plane_size(&clip->format, plane, &w, &h);
        clip->pair_bytes += 2. * w * h * fv_format_sample_bytes(&clip->format);
    }
    int pairs = (int)(CLIP_BYTES / clip->pair_bytes) + 1;
    pairs = pairs < MIN_PAIRS ? MIN_PAIRS : pairs > 1024 ? 1024 : pairs;
    clip->ref = calloc(3 * (size_t)pairs, sizeof *clip->ref);
    if (!clip->ref)
        return FV_ERROR_MEMORY;
    clip->dis = clip->ref + pairs;
    clip->copy = clip->dis + pairs;
    clip->pairs = pairs;
    FvStatus status = FV_OK;
    for (int i = 0; i < pairs && !status; i++) {
        status = clip_frame(&clip->ref[i], &ref, clip->ref, i, error);
        if (!status)
            status = clip_frame(&clip->dis[i], &dis, clip->dis, i, error);
        if (!status)
            status = clip_frame(&clip->copy[i], &ref, clip->ref, i, error);
    }
    return status;
}

/* ---- One measurement ---------------------------------------------------------------------------------------- */

/* A line of the result: a metric, or the plain copy when metric is NULL. */
typedef struct Run {
    const char *metric, *isa, *device;
    int threads, frames;
    bool cpu_time;         /* one thread of the CPU: time of the processor, which other programs do not disturb */
    double seconds[ROUNDS]; /* a frame */
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
    FvSessionParams params = {.device = run->device, .isa = run->isa, .threads = run->threads};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &params, error);
    if (!status)
        status = fv_session_add(session, run->metric, error);
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

static FvStatus measure(const Clip *clip, Run *run, int round, FvError *error)
{
    FvStatus status = FV_OK;
    if (run->metric)
        status = score_frames(clip, run, &run->seconds[round], error);
    else
        run->seconds[round] = copy_frames(clip, run->frames);
    run->seconds[round] /= run->frames;
    return status;
}

static FvStatus calibrate(const Clip *clip, Run *run, FvError *error)
{
    run->frames = 2;
    FvStatus status = measure(clip, run, 0, error);
    double frames = SECONDS / (run->seconds[0] > 1e-6 ? run->seconds[0] : 1e-6) + 1;
    run->frames = frames < 4 ? 4 : frames > 10000 ? 10000 : (int)frames;
    return status;
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

typedef struct Output {
    const Bench *bench;
    FvJson json;
    int rows;
} Output;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `first` is the median of the first line about the same metric. */
static void print_run(Output *output, const Clip *clip, const Run *run, double first)
{
    const char *metric = run->metric ? run->metric : "plain copy";
    const char *isa = run->metric ? run->isa : "memcpy", *clock = run->cpu_time ? "cpu" : "wall";
    double median = run->seconds[ROUNDS / 2], fps = 1 / median, rate = clip->pair_bytes / median * 1e-9;
    double spread = 100 * (run->seconds[ROUNDS * 3 / 4] - run->seconds[ROUNDS / 4]) / median;
    const FvFormat *format = &clip->format;
    if (output->bench->json) {
        FvJson *json = &output->json;
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "metric", metric);
        fv_json_int(json, "width", format->width);
        fv_json_int(json, "height", format->height);
        fv_json_int(json, "depth", format->depth);
        fv_json_text(json, "device", run->device);
        fv_json_text(json, "isa", isa);
        fv_json_int(json, "threads", run->threads);
        fv_json_text(json, "clock", clock);
        fv_json_real(json, "frames_per_second", fps);
        fv_json_real(json, "gigabytes_per_second", rate);
        fv_json_real(json, "spread_percent", spread);
        fv_json_real(json, "speedup", first / median);
        fv_json_close(json);
    } else if (output->bench->csv) {
        if (!output->rows)
            puts("metric,width,height,depth,device,isa,threads,clock,frames_per_second,gigabytes_per_second,"
                 "spread_percent,speedup");
        printf("\"%s\",%d,%d,%d,%s,%s,%d,%s,%.6g,%.6g,%.3g,%.4g\n", metric, format->width, format->height,
               format->depth, run->device, isa, run->threads, clock, fps, rate, spread, first / median);
    } else {
        if (!output->rows)
            printf("%-20s %-10s %5s %-8s %-7s %7s %5s %10s %8s %7s %8s\n", "metric", "size", "depth", "device", "isa",
                   "threads", "clock", "frames/s", "GB/s", "spread", "speed-up");
        printf("%-20s %4dx%-5d %5d %-8s %-7s %7d %5s %10.1f %8.2f %6.1f%% %7.2fx\n", metric, format->width,
               format->height, format->depth, run->device, isa, run->threads, clock, fps, rate, spread,
               first / median);
    }
    output->rows++;
    fflush(stdout);
}

/* ---- The plan ----------------------------------------------------------------------------------------------- */

/* What was asked for, or the defaults. */
typedef struct Plan {
    const char *metrics[MAX_LIST], *isas[MAX_LIST], *device;
    int metric_count, isa_count;
    int threads[MAX_LIST], thread_count;
    int width[MAX_LIST], height[MAX_LIST], size_count;
    int depth[MAX_LIST], depth_count;
    SynthKind kind; /* of the distorted clip */
} Plan;

static int plan_metrics(Plan *plan, const ArgList *asked)
{
    for (int i = 0; i < (asked->count ? asked->count : fv_metric_count()) && i < MAX_LIST; i++)
        plan->metrics[plan->metric_count++] = asked->count ? asked->items[i] : fv_metric_info(i)->name;
    return EXIT_OK;
}

static int plan_isas(Plan *plan, const ArgList *asked)
{
    FvIsa isa = fv_isa_best();
    if (!asked->count)
        plan->isas[plan->isa_count++] = fv_isa_name(isa);
    for (int i = 0; i < asked->count && i < MAX_LIST; i++) {
        FvError error;
        if (!strcmp(asked->items[i], "all")) {
            plan->isa_count = 0;
            for (int all = 0; all < FV_ISA_COUNT; all++)
                if (fv_isa_usable(all))
                    plan->isas[plan->isa_count++] = fv_isa_name(all);
            break;
        }
        if (fv_isa_parse(asked->items[i], &isa, &error))
            return complain(error.status, "%s", error.message);
        plan->isas[plan->isa_count++] = fv_isa_name(isa);
    }
    return EXIT_OK;
}

static int plan_threads(Plan *plan, const ArgList *asked)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (!asked->count) {
        plan->threads[plan->thread_count++] = 1;
        if (processors > 1)
            plan->threads[plan->thread_count++] = processors > 1024 ? 1024 : (int)processors;
    }
    for (int i = 0; i < asked->count && i < MAX_LIST; i++) {
        int64_t threads;
        if (!arg_parse_int(asked->items[i], 1, 1024, &threads))
            return complain(FV_ERROR_USAGE, "--threads %s: give a number from 1 to 1024", asked->items[i]);
        plan->threads[plan->thread_count++] = (int)threads;
    }
    return EXIT_OK;
}

static int plan_sizes(Plan *plan, const ArgList *asked)
{
    static const char *const usual[] = {"1920x1080", "3840x2160"};
    for (int i = 0; i < (asked->count ? asked->count : 2) && i < MAX_LIST; i++) {
        const char *text = asked->count ? asked->items[i] : usual[i];
        int *width = &plan->width[i], *height = &plan->height[i], end = 0;
        if (sscanf(text, "%5dx%5d%n", width, height, &end) != 2 || text[end] || *width < 1 || *height < 1 ||
            *width > 8192 || *height > 8192)
            return complain(FV_ERROR_USAGE, "--size %s: give WIDTHxHEIGHT, up to 8192x8192", text);
        plan->size_count++;
    }
    return EXIT_OK;
}

static int plan_depths(Plan *plan, const ArgList *asked)
{
    static const char *const usual[] = {"8", "10"};
    for (int i = 0; i < (asked->count ? asked->count : 2) && i < MAX_LIST; i++) {
        const char *text = asked->count ? asked->items[i] : usual[i];
        int64_t depth;
        if (!arg_parse_int(text, 8, 16, &depth) || depth == 9 || depth == 11 || (depth > 12 && depth < 16))
            return complain(FV_ERROR_USAGE, "--depth %s: give 8, 10, 12 or 16", text);
        plan->depth[plan->depth_count++] = (int)depth;
    }
    return EXIT_OK;
}

static int make_plan(Plan *plan, const Bench *bench)
{
    *plan = (Plan){.device = bench->device ? bench->device : "cpu", .kind = SYNTH_MIX};
    if (bench->clip && !synth_kind_parse(bench->clip, &plan->kind))
        return complain(FV_ERROR_USAGE, "--clip %s: give ref, band, noise, mix, steps or blocks", bench->clip);
    int status = plan_metrics(plan, &bench->metric);
    if (!status)
        status = plan_isas(plan, &bench->isa);
    if (!status)
        status = plan_threads(plan, &bench->threads);
    if (!status)
        status = plan_sizes(plan, &bench->size);
    return status ? status : plan_depths(plan, &bench->depth);
}

/* ---- Metrics ------------------------------------------------------------------------------------------------ */

static int list_runs(const Plan *plan, Run *runs)
{
    int count = 0;
    runs[count++] = (Run){.device = "cpu", .threads = 1, .cpu_time = true};
    for (int metric = 0; metric < plan->metric_count; metric++)
        for (int isa = 0; isa < plan->isa_count; isa++)
            for (int threads = 0; threads < plan->thread_count && count < MAX_RUNS; threads++)
                runs[count++] = (Run){.metric = plan->metrics[metric],
                                      .isa = plan->isas[isa],
                                      .device = plan->device,
                                      .threads = plan->threads[threads],
                                      .cpu_time = plan->threads[threads] == 1 && !strcmp(plan->device, "cpu")};
    return count;
}

/* One size and depth: rounds over all runs, so that a change of the machine's speed meets all of them. */
static int bench_clip(Output *output, const Plan *plan, const Clip *clip)
{
    Run *runs = calloc(MAX_RUNS, sizeof *runs);
    if (!runs)
        return complain(FV_ERROR_MEMORY, "out of memory");
    int count = list_runs(plan, runs), status = EXIT_OK;
    FvError error = {0};
    for (int round = -1; round < ROUNDS && !status; round++)
        for (int i = 0; i < count && !status; i++)
            status = round < 0 ? calibrate(clip, &runs[i], &error) : measure(clip, &runs[i], round, &error);
    if (status)
        complain(status, "%s", error.message);
    double first = 0;
    for (int i = 0; i < count && !status; i++) {
        qsort(runs[i].seconds, ROUNDS, sizeof(double), by_value);
        if (!i || runs[i].metric != runs[i - 1].metric)
            first = runs[i].seconds[ROUNDS / 2];
        print_run(output, clip, &runs[i], first);
    }
    free(runs);
    return status;
}

static int bench_metrics(const Bench *bench, const Plan *plan)
{
    Output output = {.bench = bench, .json = {.file = stdout}};
    int status = EXIT_OK;
    if (bench->json)
        fv_json_open(&output.json, NULL, '[');
    for (int size = 0; size < plan->size_count && !status; size++)
        for (int depth = 0; depth < plan->depth_count && !status; depth++) {
            Clip clip;
            FvError error = {.message = "out of memory for the frames"};
            status = clip_make(&clip, plan->width[size], plan->height[size], plan->depth[depth], plan->kind, &error);
            if (status)
                complain(status, "%s", error.message);
            else
                status = bench_clip(&output, plan, &clip);
            clip_free(&clip);
        }
    if (bench->json)
        fv_json_close(&output.json);
    return status;
}

/* A GPU has its own table: where the frames come from, the limits, the kernels. */
static int bench_gpu(const Plan *plan)
{
#if FV_HAVE_GPU
    FvError error = {.message = "out of memory for the frames"};
    int status = bench_gpu_copies(plan->device, &error);
    for (int size = 0; size < plan->size_count && !status; size++)
        for (int depth = 0; depth < plan->depth_count && !status; depth++) {
            Clip clip;
            status = clip_make(&clip, plan->width[size], plan->height[size], plan->depth[depth], plan->kind, &error);
            for (int metric = 0; metric < plan->metric_count && !status; metric++)
                status = bench_gpu_metric(plan->device, plan->metrics[metric], clip.ref, clip.dis, &error);
            clip_free(&clip);
        }
    return status ? complain(status, "%s", error.message) : EXIT_OK;
#else
    return complain(FV_ERROR_DEVICE, "this build has no GPUs, so it cannot measure %s", plan->device);
#endif
}

static int run(const void *values, const ArgList *words)
{
    (void)words;
    const Bench *bench = values;
    Plan plan;
    int status = make_plan(&plan, bench);
    if (status)
        return status;
    if (!parity_filter_good(bench->filter))
        return complain(FV_ERROR_USAGE, "--filter %s: this is no extended regular expression", bench->filter);
    if (strcmp(plan.device, "cpu"))
        return command_end(bench_gpu(&plan));
    bool both = bench->kernels == bench->metrics;
    const char *isa = bench->isa.count == 1 && strcmp(bench->isa.items[0], "all") ? plan.isas[0] : NULL;
    ParitySelection selection = {.filter = bench->filter, .runner = isa};
    if (bench->json)
        printf("{\"kernels\": ");
    if (both || bench->kernels)
        parity_bench(&selection, bench->json ? PARITY_JSON : bench->csv ? PARITY_CSV : PARITY_TEXT, stdout);
    else if (bench->json)
        printf("[]");
    printf(bench->json ? ",\n\"metrics\": " : both ? "\n" : "");
    if (both || bench->metrics)
        status = bench_metrics(bench, &plan);
    else if (bench->json)
        printf("[]");
    if (bench->json)
        printf("}\n");
    return command_end(status);
}

#define AT(field) offsetof(Bench, field)

static const ArgOption options[] = {
    {.section = "What to measure", .name = "kernels", .kind = ARG_FLAG, .offset = AT(kernels),
     .help = "only the inner loops, each on every instruction set"},
    {.name = "metrics", .kind = ARG_FLAG, .offset = AT(metrics), .help = "only whole metrics on a generated clip"},
    {.name = "filter", .kind = ARG_TEXT, .offset = AT(filter), .value = "REGEX", .help = "only kernels so named"},
    {.name = "metric", .kind = ARG_LIST, .offset = AT(metric), .value = "NAME[=OPTION=VALUE:...]",
     .offer = OFFER_METRICS, .help = "one metric; may be repeated (default: all)"},
    {.name = "size", .kind = ARG_LIST, .offset = AT(size), .value = "WIDTHxHEIGHT",
     .help = "may be repeated (default: 1920x1080 and 3840x2160)"},
    {.name = "depth", .kind = ARG_LIST, .offset = AT(depth), .value = "BITS",
     .help = "8, 10, 12 or 16; may be repeated (default: 8 and 10)"},
    {.name = "clip", .kind = ARG_TEXT, .offset = AT(clip), .value = "NAME",
     .help = "the distorted clip: ref, band, noise, mix, steps or blocks (default: mix); the reference is ref"},
    {.section = "Where", .name = "isa", .kind = ARG_LIST, .offset = AT(isa), .value = "NAME",
     .help = "scalar, sse2, avx2, avx512, neon or all; may be repeated (default: the best for metrics, all for "
             "kernels)"},
    {.name = "threads", .kind = ARG_LIST, .offset = AT(threads), .value = "N",
     .help = "may be repeated (default: 1 and one for each processor)"},
    {.name = "device", .kind = ARG_TEXT, .offset = AT(device), .value = "NAME",
     .help = "as 'fovea devices' lists them (default: cpu)"},
    {.section = "Output", .name = "csv", .kind = ARG_FLAG, .offset = AT(csv), .help = "comma-separated values"},
    {.name = "json", .kind = ARG_FLAG, .offset = AT(json), .help = "one object with arrays kernels and metrics"},
};

const Command command_bench = {
    .name = "bench",
    .summary = "measure the speed of kernels and metrics on this machine",
    .synopsis = "[OPTION]...",
    .description = "Kernels: ns per sample, bytes read and written per second, speed-up against plain C. Metrics: "
                   "frames per second of 4:2:0 pairs from memory, and the bytes of both frames per second; the "
                   "speed-up is against the first line of the same metric.\n"
                   "With one thread the clock is the processor's time, which other programs do not disturb; else it "
                   "is the wall's. All runs take turns; each figure is a median, the spread is the distance of the "
                   "quartiles.\n"
                   "A GPU (--device) has a table of its own: frames resident on the device, uploaded from pinned "
                   "memory, and uploaded from ordinary memory; then the time of each kernel.\n"
                   "The plain copy moves as many bytes as the two frames have, half read and half written: what "
                   "memory allows a metric that does nothing but read, such as psnr.",
    .example = "fovea bench --metrics --metric psnr_hvs --size 1920x1080 --isa all --threads 1",
    .refusal = "fovea bench makes its own clips; your files go to: fovea score -r REFERENCE -d DISTORTED",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Bench),
    .run = run,
};

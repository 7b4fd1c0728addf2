/* The options of fovea bench. */
#pragma once

#include "clip.h"
#include "frame.h"

struct Bench;

#define BENCH_MAX_LIST 64

typedef enum BenchStyle { BENCH_TEXT, BENCH_CSV, BENCH_JSON } BenchStyle;

extern const char *const origin_names[ORIGINS];

/* The options, with defaults in place of missing ones. */
typedef struct Plan {
    const char *metrics[BENCH_MAX_LIST]; /* one session for each entry: a metric, or several separated by commas */
    const char *isas[BENCH_MAX_LIST], *devices[BENCH_MAX_LIST];
    int metric_count, isa_count, device_count;
    int threads[BENCH_MAX_LIST], thread_count;
    int width[BENCH_MAX_LIST], height[BENCH_MAX_LIST], size_count;
    int depth[BENCH_MAX_LIST], depth_count;
    SynthKind kind; /* kind of the distorted clip */
    /* Files to score instead of clips. If `distorted` is NULL, clips are made, and `reference` is NULL, too. */
    const char *reference, *distorted;
    bool from[ORIGINS];
    int packet_depth;   /* depth of files without a container; 0: 10 */
    int in_flight;      /* number of pairs in flight; 0: the default of fovea score */
    bool scaling;       /* also measure the scaling of one video */
    double seconds;     /* seconds of one measurement */
    const char *folder; /* folder where --files writes files */
    int64_t frames;     /* number of frames of each clip */
    bool keep;          /* keep the files */
    BenchStyle style;
} Plan;

/* Makes the plan from the options. On failure, prints a message. Returns an exit code. */
int plan_make(Plan *plan, const struct Bench *bench);

/* Calls visit(opaque, clip) with a clip of each size and depth until it returns an exit code. */
int plan_each_clip(const Plan *plan, int (*visit)(void *opaque, const Clip *clip), void *opaque);

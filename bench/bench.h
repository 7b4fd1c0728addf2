/* What fovea bench was asked for, and its two halves. */
#ifndef BENCH_H
#define BENCH_H

#include "clip.h"

#define BENCH_MAX_LIST 16

typedef enum BenchStyle { BENCH_TEXT, BENCH_CSV, BENCH_JSON } BenchStyle;

/* Where frames lie before a GPU gets them. */
typedef enum Origin { RESIDENT, PINNED, PAGEABLE, PACKETS, ORIGINS } Origin;
extern const char *const origin_names[ORIGINS];

/* What was asked for, or the defaults. */
typedef struct Plan {
    const char *metrics[BENCH_MAX_LIST]; /* a session each: a metric, or several with commas between */
    const char *isas[BENCH_MAX_LIST], *devices[BENCH_MAX_LIST];
    int metric_count, isa_count, device_count;
    int threads[BENCH_MAX_LIST], thread_count;
    int width[BENCH_MAX_LIST], height[BENCH_MAX_LIST], size_count;
    int depth[BENCH_MAX_LIST], depth_count;
    SynthKind kind;                    /* of the distorted clip */
    const char *reference, *distorted; /* files instead of clips; without the second one both are NULL */
    bool from[ORIGINS];
    int packet_depth;   /* of files without container; 0: 10 */
    int in_flight;      /* 0: as fovea score has it */
    bool scaling;       /* also of one video */
    double seconds;     /* of one measurement */
    const char *folder; /* where files are written */
    int64_t frames;     /* of each */
    bool keep;          /* they stay */
    BenchStyle style;
} Plan;

/* Calls visit(opaque, clip) with a clip of each size and depth until it returns an exit code. */
int bench_each_clip(const Plan *plan, int (*visit)(void *opaque, const Clip *clip), void *opaque);

/* Prints how fast the metrics are. Returns the exit code, after a message. */
int bench_cpu(const Plan *plan);
int bench_gpu(const Plan *plan);
int bench_stills(const Plan *plan);
int bench_files(const Plan *plan);

#endif

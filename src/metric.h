/* How a metric declares itself. metric/<noun>.c defines one FvMetric; registry.c lists it. */
#ifndef FV_METRIC_H
#define FV_METRIC_H

#include "fovea/fovea.h"
#include "isa.h"
#include "option.h"

/* FV_GPU_METRIC(fv_psnr_gpu) is the value of FvMetric.gpu; NULL in a build without GPUs. */
#if FV_HAVE_GPU
#define FV_GPU_METRIC(name) (&name)
#else
#define FV_GPU_METRIC(name) NULL
#endif

#define FV_MAX_OUTPUTS 16 /* of one metric */
#define FV_MAX_RUNS 32    /* metrics in one session */

typedef struct FvMetric FvMetric;

/* One metric in one session, from fv_session_start to the end. Filled by the session, then by the metric's init. */
typedef struct FvRun {
    const FvMetric *metric;
    const void *options; /* the metric's options struct, parsed */
    FvFormat ref, dis;   /* when the session has no reference, ref is a copy of dis */
    bool has_reference;
    FvIsa isa;
    int threads; /* how many jobs of a stage can run at once */

    /* init decides: */
    uint32_t outputs;     /* bit i: output i of the descriptor exists in this run */
    void *state;          /* the metric's own, released by close */
    size_t frame_bytes;   /* working memory of one frame in flight, 64-byte aligned, content undefined at first */
    size_t scratch_bytes; /* working memory of one job, 64-byte aligned, content undefined */
} FvRun;

/* One frame pair on its way through one metric. */
typedef struct FvWork {
    const FvFrame *ref, *dis;           /* ref is NULL without a reference */
    const FvFrame *prev_ref, *prev_dis; /* the frames before, when the metric asks for them; NULL at the first */
    int64_t index;                      /* 0, 1, 2, ... in order of pushing, skipped frames included */
    void *frame;                        /* frame_bytes, the same block in all stages and in score */
    void *scratch;                      /* scratch_bytes, of this job alone */
} FvWork;

/*
 * A step of a metric on the CPU device. The jobs of one stage run side by side in any order on any thread; the next
 * stage of the frame starts when all are done. Frames overlap freely unless `ordered`.
 */
typedef struct FvStage {
    const char *name; /* for fovea bench */
    int (*jobs)(const FvRun *run);
    void (*job)(const FvRun *run, const FvWork *work, int job);
    bool ordered; /* this stage of frame n waits for the same stage of frame n-1 */
} FvStage;

struct FvMetric {
    FvMetricInfo info;
    FvOptions options; /* the same table as info.options, with places */
    size_t options_size;
    bool previous; /* wants prev_ref and prev_dis */

    /* Whether these options make the metric compare with a reference; NULL: info.needs_reference says it. */
    bool (*needs_reference)(const void *options);
    /* Checks formats and options, chooses run->outputs and sizes, allocates state. */
    FvStatus (*init)(FvRun *run, FvError *error);
    const FvStage *stages;
    int stage_count;
    const struct FvGpuMetric *gpu; /* the same on GPUs (gpu/plan.h); NULL: the CPU does it */
    /*
     * Turns work->frame into values[i] for every per-frame output i. Called once a frame in order of pushing, never
     * by two threads at once. An error (invalid samples) stops the session; its message names the frame.
     */
    FvStatus (*score)(FvRun *run, const FvWork *work, double *values, FvError *error);
    /* Values of the sequence outputs, after the last frame; may be NULL. */
    void (*pool)(FvRun *run, double *values);
    void (*close)(FvRun *run); /* also after a failed init, with whatever state it left; may be NULL */
};

/* By name, or NULL. */
const FvMetric *fv_metric_find(const char *name);
const FvMetric *fv_metric_at(int i);

#endif

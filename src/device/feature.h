/*
 * Features are the unit of computing below metrics. An FvFeature, defined in feature/<noun>.c, turns the pixels of a
 * frame pair into a row of raw terms: in stages on the CPU, in kernels on GPUs. Scores are the business of metrics. A
 * feature that several metrics want with the same options is computed once a frame.
 */
#pragma once

#include "base/isa.h"
#include "fovea/fovea.h"
#include "option/option.h"
#include "picture/needed_rows.h"

/* FV_GPU_FEATURE(fv_psnr_gpu) is the value of FvFeature.gpu; NULL in a build without GPUs. */
#if FV_HAVE_GPU
#define FV_GPU_FEATURE(name) (&name)
#else
#define FV_GPU_FEATURE(name) NULL
#endif

#define FV_MAX_INSTANCES 64 /* features in one session */
#define FV_MAX_INPUTS 4     /* features whose memory one feature reads */
#define FV_MAX_MAPS 64      /* maps of one feature */
#define FV_MAX_BEHIND 2     /* frames that a feature can look back */
#define FV_MAX_WANTS 128    /* features that one metric can want */

typedef struct FvFeature FvFeature;

/* The features that a metric wants, or the inputs of a feature. Their positions in the list are kept. */
typedef struct FvWants {
    struct {
        const FvFeature *feature;
        void *options;
    } item[FV_MAX_WANTS];
    int count;
    bool failed; /* memory or room in the list ran out */
} FvWants;

/* Appends a feature with a copy of its options struct and returns its position in the list. */
int fv_want(FvWants *wants, const FvFeature *feature, const void *options);

typedef enum FvReads {
    FV_READS_REFERENCE = 1,
    FV_READS_DISTORTED = 2,
} FvReads;

typedef struct FvMapShape {
    int width, height;
    double minimum, maximum; /* bounds of the values */
} FvMapShape;

/*
 * A feature instance: one feature with one set of options in one session. Filled by the session, then by the
 * feature's init.
 */
typedef struct FvFeatureInstance {
    const FvFeature *feature;
    const void *options; /* the feature's options struct */
    FvFormat ref, dis;   /* when the session has no reference, ref is a copy of dis */
    bool has_reference;
    bool ycbcr_variant; /* its frames are the Y'CbCr variants of the task's frames (fv_frame_ycbcr()) */
    FvIsa isa;
    int threads; /* number of jobs that can run at once */
    const struct FvFeatureInstance
        *input[FV_MAX_INPUTS]; /* the instances of FvFeature.inputs, in that order, after their init */
    int input_count;
    uint64_t wanted_maps;                   /* bit i: map i is wanted of some frame */
    const struct FvFeatureInstance *before; /* NULL, or an instance of the feature with other options on the same
                                   format; init may copy from its state */

    /* init may change these defaults: */
    int term_count;        /* the first term_count terms of the descriptor exist; default: all */
    unsigned planes;       /* bit i: the instance reads plane i of its frames; default: all planes of the format */
    FvNeededRows rows;     /* the needed rows of these planes; default: all */
    unsigned reads;        /* FvReads; default: all videos of the session. 0: only the memory of its inputs */
    int behind;            /* number of frames it looks back, [0, FV_MAX_BEHIND]; default 0 */
    size_t frame_bytes;    /* working memory of one frame in flight, 64-byte aligned, content undefined at first */
    size_t scratch_bytes;  /* working memory of one job, 64-byte aligned, content undefined */
    size_t lasting_bytes;  /* memory that lasts from frame to frame, 64-byte aligned, content undefined at first; with
                              it, the feature is computed for every frame */
    int remembers;         /* number of frames back that lasting memory depends on; default 0: all */
    size_t analysis_bytes; /* bytes of FvWork.analysis, 64-byte aligned, content undefined at first; default 0 */
    int analysis_parts;    /* number of parts that analyse() computes */
    FvMapShape map[FV_MAX_MAPS]; /* default: the size of plane 0 and the range of the descriptor */
    void *state;                 /* FvFeature.state_size bytes, zero before init */

    bool every_frame; /* valid after init: the feature, or one that reads its memory, is computed for skipped frames
                         too */
} FvFeatureInstance;

/* A map of one frame: rows of float32. */
typedef struct FvMapPlane {
    float *data;      /* NULL: this map of this frame is not wanted */
    ptrdiff_t stride; /* distance from one row to the next, in floats */
} FvMapPlane;

/* The work of one feature on one frame pair. Frames that the instance does not read may be NULL. */
typedef struct FvWork {
    const FvFrame *ref, *dis; /* ref is NULL without a reference */
    /* [k]: the frame k + 1 back, for k < run->behind; NULL before the first frame. */
    const FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND];
    int64_t index;              /* 0, 1, 2, ... in order of pushing, skipped frames included */
    bool skipped;               /* the pair is not scored: compute only what later frames need */
    void *frame;                /* frame_bytes, the same block in all stages and in terms */
    void *lasting;              /* lasting_bytes, only for FvFeature.stage_in_order */
    void *input[FV_MAX_INPUTS]; /* the blocks of run->input, complete */
    struct FvAnalysis
        *analysis;         /* analysis of ref, shared with other sessions (device/analysis.h); NULL: not shared */
    void *scratch;         /* scratch_bytes, only for this job */
    const FvMapPlane *map; /* [i]: map i; NULL: no map of this frame is wanted */
    const FvFrame *mask;   /* frame of the region's mask video for this pair (picture/region.h); or NULL */
    int64_t mask_number;   /* number of that frame in the mask video */
} FvWork;

/*
 * A step of a feature on the CPU device. The jobs of one stage run in parallel, in any order and on any thread. The
 * next stage of the frame starts when all of them are done; the first stage starts when the feature's inputs are
 * done. Different frames are worked on at the same time.
 */
typedef struct FvStage {
    const char *name; /* name for `fovea bench` */
    int (*jobs)(const FvFeatureInstance *run);
    void (*job)(const FvFeatureInstance *run, const FvWork *work, int job);
    bool maps; /* runs only for frames whose maps are requested */
} FvStage;

/* Members of a feature, from the table that FV_OPTIONS built from its options struct, and from arrays. */
#define FV_FEATURE_OPTIONS(name, Struct)                                                                             \
    .options = {name##_info, name##_offset, name##_count}, .options_size = sizeof(Struct)
#define FV_FEATURE_TERMS(array) .terms_info = array, .term_count = sizeof(array) / sizeof *(array)
#define FV_FEATURE_STAGES(array) .stages = array, .stage_count = sizeof(array) / sizeof *(array)

struct FvFeature {
    const char *name;
    FvOptions options; /* all options that affect its bits; requests with equal options share one instance */
    size_t options_size;
    size_t state_size; /* bytes of run->state */
    const FvTermInfo *terms_info;
    int term_count;
    const FvMapInfo *maps;
    int map_count;
    bool every_frame; /* computed for frames that subsampling skips, too */
    int cost; /* picoseconds for a sample of luma, on one processor with AVX-512, at 1920x1080 and 10 bits; for the
                 estimate of 'auto': device_select/estimate.h */

    /* Features whose memory this one reads, in the order of work->input; NULL: none. */
    void (*inputs)(const void *options, FvWants *wants);
    /* Checks formats and options, chooses sizes and allocates state. */
    FvStatus (*init)(FvFeatureInstance *run, FvError *error);
    /*
     * Computes a part of work->analysis from the reference alone. Instances with equal options, formats and
     * instruction set compute equal parts.
     */
    void (*analyse)(const FvFeatureInstance *run, const FvWork *work, int part);
    const FvStage *stages;
    int stage_count;
    int stage_in_order; /* in instances with lasting_bytes, this stage waits for the same stage of the previous frame;
                           0: no stage */
    /*
     * The first stage that must run again when the stages of `before` have left their results, for the same frames,
     * in memory of the same size, and the options change to those of `run`; NULL: the first.
     */
    int (*resume)(const FvFeatureInstance *before, const FvFeatureInstance *run);
    const struct FvGpuFeature *gpu; /* the feature on GPUs (gpu/launches.h); NULL: only the CPU computes it */
    /*
     * Computes run->term_count terms from work->frame, as the last step of a frame. Called in order of pushing, never
     * by two threads at once. An error (invalid samples) stops the session; its message names the frame. NULL without
     * terms.
     */
    FvStatus (*terms)(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error);
    void (*close)(
        FvFeatureInstance *run); /* releases what the state points to, also after a failed init; may be NULL */
};

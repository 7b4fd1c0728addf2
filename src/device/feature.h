/*
 * A feature computes a row of raw terms from the pixels of a frame pair, in stages on the CPU and in kernels on GPUs;
 * metrics compute scores from terms. An FvFeature is defined in feature/<noun>.c. A feature that several metrics want
 * with the same options is computed once per frame.
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

#define FV_MAX_INSTANCES 64 /* maximum number of feature instances in a session */
#define FV_MAX_INPUTS 4     /* maximum number of features whose memory one feature reads */
#define FV_MAX_MAPS 64      /* maximum number of maps of a feature */
#define FV_MAX_BEHIND 2     /* maximum number of frames that a feature looks back */
#define FV_MAX_WANTS 128    /* maximum number of features that one metric wants */
#define FV_MAX_STAGES 12    /* maximum number of stages of a feature */

typedef struct FvFeature FvFeature;

/* The features that a metric wants, or the inputs of a feature. A feature keeps its position in the list. */
typedef struct FvWants {
    struct {
        const FvFeature *feature;
        void *options;
    } item[FV_MAX_WANTS];
    int count;
    bool failed; /* memory ran out, or the list is full */
} FvWants;

/* Appends a feature with a copy of its options struct and returns its position in the list. */
int fv_want(FvWants *wants, const FvFeature *feature, const void *options);

typedef enum FvReads {
    FV_READS_REFERENCE = 1,
    FV_READS_DISTORTED = 2,
} FvReads;

typedef struct FvMapShape {
    int width, height;
    double minimum, maximum; /* range of the map's values */
} FvMapShape;

/*
 * A feature instance: one feature with one set of options in one session. Filled by the session, then by the
 * feature's init.
 */
typedef struct FvFeatureInstance {
    const FvFeature *feature;
    const void *options; /* the feature's options struct */
    FvFormat ref, dis;   /* formats of the videos; without a reference, ref is a copy of dis */
    bool has_reference;
    bool ycbcr_variant; /* the instance reads the Y'CbCr variants of the task's frames (fv_frame_ycbcr()) */
    FvIsa isa;
    int threads; /* maximum number of jobs that run at the same time */
    const struct FvFeatureInstance
        *input[FV_MAX_INPUTS]; /* the instances of FvFeature.inputs, in that order, after their init */
    int input_count;
    const void *twin;     /* options of an instance whose results this one computes as well; or NULL */
    uint64_t wanted_maps; /* bit i: map i is wanted for at least one frame */
    /* An instance of this feature with other options and the same formats, whose state init may copy; or NULL. */
    const struct FvFeatureInstance *before;

    /* init may change these defaults: */
    int term_count;       /* only the first term_count terms of the descriptor exist; default: all */
    unsigned planes;      /* bit i: the instance reads plane i of its frames; default: all planes of the format */
    FvNeededRows rows;    /* the needed rows of these planes; default: all */
    unsigned reads;       /* FvReads of the videos that it reads; default: all videos; 0: only its inputs' memory */
    int behind;           /* number of previous frames that the instance reads, [0, FV_MAX_BEHIND]; default 0 */
    size_t frame_bytes;   /* bytes of working memory of a pair, 64-byte aligned, content undefined at first */
    size_t scratch_bytes; /* bytes of working memory of a job, 64-byte aligned, content undefined */
    /*
     * Bytes of memory that lasts from frame to frame, 64-byte aligned, content undefined at first. Above 0: the
     * feature is computed for every frame.
     */
    size_t lasting_bytes;
    int remembers;           /* number of previous frames that lasting memory depends on; default 0: all */
    size_t analysis_bytes;   /* bytes of FvWork.analysis, 64-byte aligned, content undefined at first; default 0 */
    int analysis_parts;      /* number of parts that analyse() computes */
    int jobs[FV_MAX_STAGES]; /* number of jobs of each stage; default: 1 */
    FvMapShape map[FV_MAX_MAPS]; /* default: the size of plane 0 and the range of the descriptor */
    void *state;                 /* FvFeature.state_size bytes, zero before init */

    bool every_frame; /* valid after init: it, or a feature that reads its memory, is computed for skipped frames  */
} FvFeatureInstance;

/* A map of one frame: rows of float32. */
typedef struct FvMapPlane {
    float *data;      /* samples of the map; NULL: the map is not wanted for this frame */
    ptrdiff_t stride; /* distance from one row to the next, in floats */
} FvMapPlane;

/* The work of one feature on one frame pair. Frames that the instance does not read may be NULL. */
typedef struct FvWork {
    const FvFrame *ref, *dis; /* ref is NULL without a reference */
    /* [k]: the frame k + 1 frames back, for k < run->behind; NULL before the first frame. */
    const FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND];
    int64_t index;              /* 0, 1, 2, ... in order of pushing, skipped frames included */
    bool skipped;               /* the pair is not scored: compute only what later frames need */
    void *frame;                /* frame_bytes bytes, the same block in all stages and in terms() */
    void *lasting;              /* lasting_bytes bytes, only for FvFeature.stage_in_order */
    void *input[FV_MAX_INPUTS]; /* the completed `frame` blocks of run->input */
    struct FvAnalysis
        *analysis;         /* analysis of ref, shared with other sessions (device/analysis.h); NULL: not shared */
    void *scratch;         /* scratch_bytes bytes, only for this job */
    int level;             /* FvStage.level of the stage that runs */
    const FvMapPlane *map; /* [i]: map i; NULL: no map of this frame is wanted */
    const FvFrame *mask;   /* frame of the region's mask video for this pair (picture/region.h); or NULL */
    int64_t mask_number;   /* number of that frame in the mask video */
} FvWork;

/*
 * A step of a feature on the CPU device. The jobs of a stage run in parallel, in any order and on any thread. A
 * frame's next stage starts when all jobs of the stage are done; its first stage starts when the feature's inputs are
 * done. Several frames are computed at the same time.
 */
typedef struct FvStage {
    const char *name; /* name for `fovea bench` */
    void (*job)(const FvFeatureInstance *run, const FvWork *work, int job);
    int level; /* scale, level or step that the job computes, for stages that share a job */
    bool maps; /* runs only for frames whose maps are requested */
} FvStage;

/* Initialisers of FvFeature members: from the table that FV_OPTIONS makes of an options struct, and from arrays. */
#define FV_FEATURE_OPTIONS(name, Struct)                                                                             \
    .options = {name##_info, name##_offset, name##_count}, .options_size = sizeof(Struct)
#define FV_FEATURE_TERMS(array) .terms_info = array, .term_count = sizeof(array) / sizeof *(array)
/* More than FV_MAX_STAGES stages do not compile: they divide by 0. */
#define FV_FEATURE_STAGES(array)                                                                                     \
    .stages = array,                                                                                                 \
    .stage_count = sizeof(array) / sizeof *(array) / (sizeof(array) <= FV_MAX_STAGES * sizeof *(array))

struct FvFeature {
    const char *name;
    FvOptions options; /* all options that affect the results; requests with equal options share one instance */
    size_t options_size;
    size_t state_size; /* bytes of run->state */
    const FvTermInfo *terms_info;
    int term_count;
    const FvMapInfo *maps;
    int map_count;
    bool every_frame; /* the feature is also computed for frames that subsampling skips */
    /*
     * Picoseconds per luma sample on one processor with AVX-512, at 1920x1080 and 10 bits; "auto" estimates with it.
     */
    int cost;

    /* Lists the features whose memory this one reads, in the order of work->input; NULL: none. */
    void (*inputs)(const void *options, FvWants *wants);
    /*
     * Returns whether an instance with `options` can compute the results for `other` as well, in its own memory. It
     * is then the only input of the other instance, which has no work but terms(). NULL: it cannot.
     */
    bool (*computes_both)(const void *options, const void *other);
    /* Checks formats and options, chooses sizes and allocates state. */
    FvStatus (*init)(FvFeatureInstance *run, FvError *error);
    /*
     * Computes a part of work->analysis from the reference alone. The result depends only on the reference and the
     * instance's options, formats and instruction set.
     */
    void (*analyse)(const FvFeatureInstance *run, const FvWork *work, int part);
    const FvStage *stages;
    int stage_count;
    /*
     * Index of the stage that, in instances with lasting_bytes, waits for the same stage of the previous frame; 0:
     * none.
     */
    int stage_in_order;
    /*
     * Returns the first stage that must run again if memory of the same size already has the results of `before` for
     * the same frames, and the options change to those of `run`. NULL: stage 0.
     */
    int (*resume)(const FvFeatureInstance *before, const FvFeatureInstance *run);
    const struct FvGpuFeature *gpu; /* the feature on GPUs (gpu/launches.h); NULL: only the CPU computes it */
    /*
     * Computes run->term_count terms from work->frame, as the last step of a frame. Called in order of pushing, never
     * by two threads at the same time. An error (invalid samples) stops the session; its message must name the frame.
     * NULL: the feature has no terms.
     */
    FvStatus (*terms)(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error);
    void (*close)(
        FvFeatureInstance *run); /* releases what the state points to, also after a failed init; may be NULL */
};

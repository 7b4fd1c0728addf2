/*
 * Features: the unit of computing below metrics. feature/<noun>.c defines an FvFeature: from the pixels of a frame
 * pair to a row of raw terms, on the CPU in stages, on GPUs in kernels. It knows nothing of scores. A feature that
 * several metrics want with the same options is computed once a frame.
 */
#ifndef FV_DEVICE_FEATURE_H
#define FV_DEVICE_FEATURE_H

#include "fovea/fovea.h"
#include "base/isa.h"
#include "picture/needed_rows.h"
#include "option/option.h"

/* FV_GPU_FEATURE(fv_psnr_gpu) is the value of FvFeature.gpu; NULL in a build without GPUs. */
#if FV_HAVE_GPU
#define FV_GPU_FEATURE(name) (&name)
#else
#define FV_GPU_FEATURE(name) NULL
#endif

#define FV_MAX_RUNS 64   /* features in one session */
#define FV_MAX_INPUTS 4  /* features whose memory one feature reads */
#define FV_MAX_MAPS 64   /* of one feature */
#define FV_MAX_BEHIND 2  /* frames back that a feature can look */
#define FV_MAX_WANTS 128 /* features that one metric can want */

typedef struct FvFeature FvFeature;

/* What a metric wants of features, or a feature of its inputs. Position i of the list stays i. */
typedef struct FvWants {
    struct {
        const FvFeature *feature;
        void *options;
    } item[FV_MAX_WANTS];
    int count;
    bool failed; /* there was no memory, or no room in the list */
} FvWants;

/* Appends a feature with a copy of its options struct and returns its position in the list. */
int fv_want(FvWants *wants, const FvFeature *feature, const void *options);

typedef enum FvReads {
    FV_READS_REFERENCE = 1,
    FV_READS_DISTORTED = 2,
} FvReads;

typedef struct FvMapShape {
    int width, height;
    double minimum, maximum; /* of the values */
} FvMapShape;

/* One feature with one set of options in one session. Filled by the session, then by the feature's init. */
typedef struct FvRun {
    const FvFeature *feature;
    const void *options; /* the feature's options struct */
    FvFormat ref, dis;   /* when the session has no reference, ref is a copy of dis */
    bool has_reference;
    FvIsa isa;
    int threads;                              /* how many jobs of a stage can run at once */
    const struct FvRun *input[FV_MAX_INPUTS]; /* the runs of FvFeature.inputs, in that order, after their init */
    int input_count;
    uint64_t wanted_maps;       /* bit i: somebody wants map i of some frame */
    const struct FvRun *before; /* a run of the feature with other options on the same format, whose state init may
                                   copy from; or NULL */

    /* init decides; these have defaults: */
    int term_count;       /* the first term_count terms of the descriptor exist; default: all */
    unsigned planes;      /* bit i: it reads plane i of its frames; default: all planes of the format */
    FvNeededRows rows;    /* of these planes; default: all */
    unsigned reads;       /* FvReads; default: both, or what there is. 0: no pixels, its inputs' memory only */
    int behind;           /* how many frames back it looks, [0, FV_MAX_BEHIND]; default 0 */
    size_t frame_bytes;   /* working memory of one frame in flight, 64-byte aligned, content undefined at first */
    size_t scratch_bytes; /* working memory of one job, 64-byte aligned, content undefined */
    size_t lasting_bytes; /* memory that lasts from frame to frame, 64-byte aligned, content undefined at first; the
                             feature is then computed for every frame */
    int remembers;        /* how many frames back lasting memory depends on; default 0: all */
    FvMapShape map[FV_MAX_MAPS]; /* default: the size of plane 0 and the range of the descriptor */
    void *state;                 /* the feature's own, released by close */

    bool every_frame; /* after init: the feature, or one that reads its memory, is computed for skipped frames, too */
} FvRun;

/* A map of one frame: rows of float32. */
typedef struct FvMapPlane {
    float *data;      /* NULL: nobody wants this map of this frame */
    ptrdiff_t stride; /* in floats */
} FvMapPlane;

/* One frame pair on its way through one feature. Frames that the run does not read may be NULL. */
typedef struct FvWork {
    const FvFrame *ref, *dis; /* ref is NULL without a reference */
    /* [k]: the frame k + 1 back, for k < run->behind; NULL in front of the first frame. */
    const FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND];
    int64_t index;              /* 0, 1, 2, ... in order of pushing, skipped frames included */
    bool skipped;               /* only what later frames need is computed */
    void *frame;                /* frame_bytes, the same block in all stages and in terms */
    void *lasting;              /* lasting_bytes: for FvFeature.stage_in_order alone */
    void *input[FV_MAX_INPUTS]; /* the blocks of run->input, complete */
    void *scratch;              /* scratch_bytes, of this job alone */
    const FvMapPlane *map;      /* [i] of every map; NULL: nobody wants a map of this frame */
} FvWork;

/*
 * A step of a feature on the CPU device. The jobs of one stage run side by side in any order on any thread; the next
 * stage of the frame starts when all are done, and the stages of a feature when its inputs are done. Frames overlap
 * freely.
 */
typedef struct FvStage {
    const char *name; /* for fovea bench */
    int (*jobs)(const FvRun *run);
    void (*job)(const FvRun *run, const FvWork *work, int job);
    bool maps; /* only for frames of which a map is wanted */
} FvStage;

struct FvFeature {
    const char *name;
    FvOptions options; /* everything that decides its bits: runs whose options are equal are one */
    size_t options_size;
    const FvTermInfo *terms_info;
    int term_count;
    const FvMapInfo *maps;
    int map_count;
    bool every_frame; /* also computed for frames that are skipped (subsampling) */
    int cost; /* picoseconds of one processor with AVX-512 for a sample of luma, 1920x1080 and 10 bits; 'auto' goes by
                 it: machine/estimate.h */

    /* Features whose memory this one reads, in the order of work->input; NULL: none. */
    void (*inputs)(const void *options, FvWants *wants);
    /* Checks formats and options, chooses sizes, allocates state. */
    FvStatus (*init)(FvRun *run, FvError *error);
    const FvStage *stages;
    int stage_count;
    int stage_in_order; /* begins when it has ended for the frame before, in runs with lasting_bytes; 0: none does */
    /*
     * The first stage to be run again, when the stages of `before` left their results in memory of the same size for
     * the same frames and the options are now those of `run`; NULL: the first.
     */
    int (*resume)(const FvRun *before, const FvRun *run);
    const struct FvGpuFeature *gpu; /* the same on GPUs (gpu/launches.h); NULL: the CPU does it */
    /*
     * The last step of a frame: from work->frame to run->term_count terms. Called in order of pushing, never by two
     * threads at once. An error (invalid samples) stops the session; its message names the frame. NULL without terms.
     */
    FvStatus (*terms)(const FvRun *run, const FvWork *work, FvTerm *row, FvError *error);
    void (*close)(FvRun *run); /* also after a failed init, with whatever state it left; may be NULL */
};

#endif

/* What the visual discrimination model does with one pair of pictures, step by step, on the CPU. */
#ifndef FV_FEATURE_VDM_PLAN_H
#define FV_FEATURE_VDM_PLAN_H

#include "cpu/vdm_resample.h"
#include "feature/vdm.h"

#define FV_VDM_HALVINGS 12 /* at most: 32768 rows at 20 heights and 40 pixels per degree need fewer */

#define FV_VDM_TRANSIENT_LEVEL 3 /* where what changes is responded to */
#define FV_VDM_LASTING 3         /* planes of a picture that last: two of the sustained filter, one of the fast one */

/* Steps, in order. RETINA and ENLARGE are for pictures whose retina has another size. */
typedef enum FvVdmStep {
    FV_VDM_STEP_OPTICS,
    FV_VDM_STEP_RETINA,
    FV_VDM_STEP_TIME, /* in order of frames; TIME and TRANSIENT only with temporal channels */
    FV_VDM_STEP_REDUCE,
    FV_VDM_STEP_PYRAMID,
    FV_VDM_STEP_RESPOND,
    FV_VDM_STEP_TRANSIENT,
    FV_VDM_STEP_LEVELS, /* only when a map of a level is wanted */
    FV_VDM_STEP_ADD,
    FV_VDM_STEP_ENLARGE,
    FV_VDM_STEP_MAP,
    FV_VDM_STEPS
} FvVdmStep;

/* One level: where its tiles begin in the list of all, and its planes. */
typedef struct FvVdmPlace {
    int width, height;
    int tile, across, down; /* first one; how many of them */
    size_t gauss[2], mean[2], sum;
    size_t seen[4]; /* differences of responses by orientation, when they are wanted */
} FvVdmPlace;

typedef struct FvVdmPlan {
    FvVdmParameters parameters;
    const FvVdmKernels *kernels;
    FvVdmOptics optics;
    double ppd, retinal_ppd;
    int halvings;
    int chain_width[FV_VDM_HALVINGS + 1], chain_height[FV_VDM_HALVINGS + 1]; /* [0] is the picture */
    size_t chain[2][FV_VDM_HALVINGS + 1], wide; /* on the way to the retina; between the directions of resampling */
    bool resampled;
    FvVdmResample across, down;
    FvVdmPlace level[FV_VDM_LEVELS + 2];
    int tiles, segments; /* parts of a row with sums of their own */
    FvVdmTransducer transducer;
    float weights[FV_VDM_LEVELS][FV_VDM_NODES];
    float *display;
    /* Offsets in floats into the memory of a frame. */
    size_t lasting_plane, lasting_floats; /* of one plane that lasts; of all, 0 without temporal channels */
    size_t transient[2][FV_VDM_TRANSIENT_LEVEL + 1], flicker[2]; /* transient pictures of levels; their contrast */
    size_t maps[FV_VDM_HALVINGS + 1], map_wide, sums, counts, bins, floats;
    size_t scratch_floats;
} FvVdmPlan;

/*
 * `before`: another plan for the same samples, whose tables are copied as far as they are the same; or NULL.
 * `bytes`: of a sample (4: binary32 numbers in cd/m2). `seen`: responses are kept. To be closed, also after a
 * failure.
 */
FvStatus fv_vdm_plan_open(FvVdmPlan *plan, const FvVdmParameters *parameters, int width, int height, int depth,
                          int bytes, bool seen, FvIsa isa, const FvVdmPlan *before, FvError *error);
void fv_vdm_plan_close(FvVdmPlan *plan);

/* One pair. `frame`: plan->floats; `scratch`: plan->scratch_floats of each job alone; both 64-byte aligned. */
typedef struct FvVdmPair {
    const uint8_t *samples[2];
    ptrdiff_t stride[2];
    float *frame, *scratch;
    float *lasting;         /* plan->lasting_floats, from frame to frame */
    bool first;             /* frame of the clip */
    const FvMapPlane *maps; /* FV_VDM_MAPS of them, or NULL */
} FvVdmPair;

int fv_vdm_jobs(const FvVdmPlan *plan, FvVdmStep step); /* 0: the step is not needed */
void fv_vdm_job(const FvVdmPlan *plan, const FvVdmPair *pair, FvVdmStep step, int job);

/* After the last step: FV_VDM_TERMS. */
void fv_vdm_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row);

/* For devices that compute the statistics themselves: all sums, row by row, and what a whole map adds to the others.
 */
FvVdmSums *fv_vdm_sums(const FvVdmPlan *plan, float *frame);
void fv_vdm_counted(const FvVdmPlan *plan, float *frame, const FvVdmCount *count);

/* The steps of the temporal channels. */
void fv_vdm_follow_rows(const FvVdmPlan *plan, const FvVdmPair *pair, int picture, int row, int rows);
void fv_vdm_flicker(const FvVdmPlan *plan, const FvVdmPair *pair, int picture);
void fv_vdm_transient_rows(const FvVdmPlan *plan, const FvVdmPair *pair, int row, int rows);

/* A plane in the memory of a frame. */
FvVdmPlane fv_vdm_plane_at(const float *frame, size_t offset, int width, int height);

#endif

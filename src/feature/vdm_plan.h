/* The plan of the visual discrimination model for a pair of frames: its steps, and the layout of a frame's memory. */
#pragma once

#include "cpu/vdm_resample.h"
#include "device/feature.h"
#include "feature/vdm_tables.h"

/*
 * Maps of the feature. The maps of the last two groups have the sizes of their levels: the JND of each level, and the
 * difference of responses for each orientation of each level.
 */
enum {
    FV_VDM_MAP_JND,
    FV_VDM_MAP_PROBABILITY,
    FV_VDM_MAP_LEVEL,
    FV_VDM_MAP_RESPONSE = FV_VDM_MAP_LEVEL + FV_VDM_LEVELS,
    FV_VDM_MAPS = FV_VDM_MAP_RESPONSE + 4 * FV_VDM_LEVELS
};
/* Terms of the feature: statistics of the map of JND. */
enum {
    FV_VDM_TERM_JND, /* sums in units of 2^-26: of J, of J^2, of J^4, with J limited to 63 */
    FV_VDM_TERM_SQUARE,
    FV_VDM_TERM_FOURTH,
    FV_VDM_TERM_LEAST,
    FV_VDM_TERM_GREATEST,
    FV_VDM_TERM_VISIBLE, /* number of samples of at least 1 JND */
    FV_VDM_TERM_P50,
    FV_VDM_TERM_P95,
    FV_VDM_TERM_P99,
    FV_VDM_TERMS,
    FV_VDM_TERM_WEIGHT = FV_VDM_TERMS /* sum of the weights, if each frame has its own */
};

/* Maximum number of halvings: 32768 rows at 20 heights and 40 pixels per degree need fewer. */
#define FV_VDM_HALVINGS 12

#define FV_VDM_TRANSIENT_LEVEL 3 /* level of the transient responses */
/* Planes of a frame that persist: two of the sustained filter, one of the fast filter. */
#define FV_VDM_LASTING 3
#define FV_VDM_MAP_BAND 32 /* rows of a job that computes the map and its statistics */

/* The contribution of a band of the map to the statistics. */
typedef struct FvVdmCounted {
    float least, greatest;
    uint64_t visible;
} FvVdmCounted;

/* The tiles and planes of one level. */
typedef struct FvVdmPlace {
    int width, height;
    int tile, across, down; /* number of the first tile among all tiles; number of tiles in each direction */
    size_t gauss[2], mean[2], sum;
    size_t seen[4]; /* differences of responses by orientation, if requested */
} FvVdmPlace;

typedef struct FvVdmPlan {
    FvVdmParameters parameters;
    const FvVdmKernels *kernels;
    FvVdmOptics optics;
    double ppd, retinal_ppd;
    int halvings;
    int chain_width[FV_VDM_HALVINGS + 1], chain_height[FV_VDM_HALVINGS + 1]; /* index [0] is the frame */
    /* Frames on the way to the retina; plane between the directions of resampling. */
    size_t chain[2][FV_VDM_HALVINGS + 1], wide;
    bool resampled;
    FvVdmResample across, down;
    FvVdmPlace level[FV_VDM_LEVELS + 2];
    int tiles, segments; /* number of all tiles; number of parts of a row that have separate sums */
    FvVdmTransducer transducer;
    float weights[FV_VDM_LEVELS][FV_VDM_NODES];
    float *display;
    /* Offsets in floats into a frame's memory. */
    size_t lasting_plane,
        lasting_floats; /* floats of one persistent plane, and of all of them; 0 without temporal channels */
    size_t transient[2][FV_VDM_TRANSIENT_LEVEL + 1], flicker[2]; /* transient frames of levels; their contrast */
    size_t maps[FV_VDM_HALVINGS + 1], map_wide, sums, counts, bins, floats;
    size_t scratch_floats;
    FvWeigher region; /* weights of the map's samples; with weights, the members below are used (vdm_region.h) */
    size_t region_bins, region_bands, region_scratch;
} FvVdmPlan;

/*
 * Opens a plan. before: another plan for the same samples, whose equal tables are copied; or NULL. bytes: bytes per
 * sample (4: binary32 numbers in cd/m2). seen: keep the responses. Close the plan also after a failure.
 */
FvStatus fv_vdm_plan_open(FvVdmPlan *plan, const FvVdmParameters *parameters, int width, int height, int depth,
                          int bytes, bool seen, FvIsa isa, const FvVdmPlan *before, FvError *error);
void fv_vdm_plan_close(FvVdmPlan *plan);

/*
 * One pair of frames. frame: plan->floats floats; scratch: plan->scratch_floats floats for each job; both 64-byte
 * aligned.
 */
typedef struct FvVdmPair {
    const uint8_t *samples[2];
    ptrdiff_t stride[2];
    float *frame, *scratch;
    float *lasting;         /* plan->lasting_floats floats that persist from frame to frame */
    bool first;             /* the frame is the first of the clip */
    const FvMapPlane *maps; /* array of FV_VDM_MAPS maps, or NULL */
    const FvFrame *mask;    /* see FvWork.mask */
} FvVdmPair;

/* Returns a plane in the memory of a frame. */
FvVdmPlane fv_vdm_plane_at(const float *frame, size_t offset, int width, int height);
FvVdmPlane fv_vdm_level_plane(const FvVdmPlan *plan, const float *frame, int level, size_t offset);

/* Returns whether the retina has another size than the frame. */
bool fv_vdm_other_size(const FvVdmPlan *plan);

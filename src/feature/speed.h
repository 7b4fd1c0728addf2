/* The common part of the features speed_chroma and speed_temporal. */
#pragma once

#include "cpu/speed.h"
#include "cpu/speed_prescale.h"
#include "device/feature.h"

typedef struct FvSpeedOptions {
    double kernelscale, prescale, sigma_nn, nn_floor;
    double max_val; /* for the metrics; the features ignore it */
    const char *prescale_method;
    int weight_var_mode; /* speed_chroma */
    bool use_ref_diff;   /* speed_temporal */
} FvSpeedOptions;

extern const char *const fv_speed_prescale_methods[];

#define FV_SPEED_OPTIONS(X)                                                                                          \
    X(FvSpeedOptions, kernelscale, REAL,                                                                             \
      ("speed_kernelscale", "ks", 1, 0.1, 4, NULL, "scales both Gaussian filters; one of 21 values"))                \
    X(FvSpeedOptions, prescale, REAL, ("speed_prescale", "ps", 1, 0.1, 4, NULL, "resizes the plane first"))          \
    X(FvSpeedOptions, prescale_method, TEXT,                                                                         \
      ("speed_prescale_method", "psm", "nearest", fv_speed_prescale_methods, "how to resize"))                       \
    X(FvSpeedOptions, sigma_nn, REAL,                                                                                \
      ("speed_sigma_nn", "snn", 0.29, 0.1, 2, NULL, "neural noise, added to every scaled eigenvalue"))               \
    X(FvSpeedOptions, nn_floor, REAL,                                                                                \
      ("speed_nn_floor", "nnf", 0, 0, 1, NULL,                                                                       \
       "blocks without more than this fraction of the neural noise score 0"))

#define FV_SPEED_WEIGHT_VAR_MODE                                                                                     \
    ("speed_weight_var_mode", "wvm", 0, 0, 6, NULL, "which variances weight the entropies")
#define FV_SPEED_USE_REF_DIFF                                                                                        \
    ("speed_use_ref_diff", "urd", 0, "the distorted difference is against the current reference frame")

/* One plane of a frame pair after the last stage. */
typedef struct FvSpeedScore {
    float score;
    int32_t singular; /* on either side */
} FvSpeedScore;

#define FV_SPEED_PLANES 2 /* most planes of a run */

/* The state of a run. */
typedef struct FvSpeed {
    const FvSpeedKernels *kernels;
    FvSpeedShape shape;
    FvSpeedPrescale resize;
    bool resized;
    float base; /* entropy of a block of mere neural noise, by the floor */
    int first_plane, planes;
    bool temporal, use_ref_diff;
    bool on_gpu;             /* a GPU that does the first stages does the others too */
    int parts, block_stride; /* parts of the covariance; floats from one array of block values to the next */
    size_t side_bytes;
} FvSpeed;

/* One side of one plane in the working memory of a frame: index = 2 * plane + (0: reference, 1: distorted).
 */
typedef struct FvSpeedPlace {
    FvSpeedSide *side;
    float *low, *plane;                      /* operating plane without and with local mean removal */
    float *variance, *entropy, *information; /* values of each block */
} FvSpeedPlace;

FvSpeedPlace fv_speed_place(const FvSpeed *speed, void *frame, int index);

/* The samples that are reduced for side `index`. */
FvDifference fv_speed_source(const FvRun *run, const FvWork *work, int index);

FvStatus fv_speed_init(FvRun *run, bool temporal, FvError *error);

/* All steps after the operating planes, from means to scores, for GPUs that make only these planes. */
void fv_speed_finish(const FvRun *run, const FvWork *work);

/* Terms of each plane that is scored: its score, a binary32, and whether it was singular on either side. */
extern const FvFeature fv_feature_speed_chroma, fv_feature_speed_temporal;

extern const struct FvGpuFeature fv_speed_gpu;

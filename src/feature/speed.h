/* The common part of the features speed_chroma and speed_temporal. */
#pragma once

#include "cpu/speed.h"
#include "cpu/speed_prescale.h"
#include "device/feature.h"

typedef struct FvSpeedOptions {
    double kernelscale, prescale, sigma_nn, nn_floor;
    double max_val; /* only metrics use it; the features ignore it */
    const char *prescale_method;
    int weight_var_mode; /* only for speed_chroma */
    bool use_ref_diff;   /* only for speed_temporal */
} FvSpeedOptions;

extern const char *const fv_speed_prescale_methods[];

#define FV_SPEED_OPTIONS(X)                                                                                          \
    X(FvSpeedOptions, kernelscale, REAL,                                                                             \
      ("speed_kernelscale", "ks", 1, 0.1, 4, NULL, "scales both Gaussian filters; one of 21 values"))                \
    X(FvSpeedOptions, prescale, REAL,                                                                                \
      ("speed_prescale", "ps", 1, 0.1, 4, NULL, "factor by which the plane is resized first"))                       \
    X(FvSpeedOptions, prescale_method, TEXT,                                                                         \
      ("speed_prescale_method", "psm", "nearest", fv_speed_prescale_methods, "filter that resizes the plane"))       \
    X(FvSpeedOptions, sigma_nn, REAL,                                                                                \
      ("speed_sigma_nn", "snn", 0.29, 0.1, 2, NULL, "neural noise, added to every scaled eigenvalue"))               \
    X(FvSpeedOptions, nn_floor, REAL,                                                                                \
      ("speed_nn_floor", "nnf", 0, 0, 1, NULL,                                                                       \
       "blocks score 0 unless their entropy exceeds that of the neural noise by this fraction"))

#define FV_SPEED_WEIGHT_VAR_MODE                                                                                     \
    ("speed_weight_var_mode", "wvm", 0, 0, 6, NULL, "which variances weight the entropies")
#define FV_SPEED_USE_REF_DIFF                                                                                        \
    ("speed_use_ref_diff", "urd", 0,                                                                                 \
     "the distorted change is from the previous distorted frame to the reference frame")

/* The result of one plane of a frame pair. */
typedef struct FvSpeedScore {
    float score;
    int32_t singular; /* nonzero: the covariance of a side is singular */
} FvSpeedScore;

#define FV_SPEED_PLANES 2 /* maximum number of planes of an instance */

/* State of an instance. */
typedef struct FvSpeed {
    const FvSpeedKernels *kernels;
    FvSpeedShape shape;
    FvSpeedPrescale resize;
    bool resized;
    float base; /* entropy of a block that is neural noise only, by the option nn_floor */
    int first_plane, planes;
    bool temporal, use_ref_diff;
    bool on_gpu;             /* true: the GPU that computes the first stages also computes the others */
    int parts, block_stride; /* parts of the covariance; distance in floats between the arrays of block values */
    size_t side_bytes;
} FvSpeed;

/* The memory of one side of one plane of a frame; index: 2 * plane + (0: reference, 1: distorted). */
typedef struct FvSpeedPlace {
    FvSpeedSide *side;
    float *low, *plane;                      /* operating plane with and without its local mean */
    float *variance, *entropy, *information; /* values of each block */
} FvSpeedPlace;

FvSpeedPlace fv_speed_place(const FvSpeed *speed, void *frame, int index);

/* Returns the samples of side `index`, before they are reduced. */
FvDifference fv_speed_source(const FvFeatureInstance *run, const FvWork *work, int index);

FvStatus fv_speed_init(FvFeatureInstance *run, bool temporal, FvError *error);

/* Computes all steps after the operating planes, from means to scores, for GPUs that compute only these planes. */
void fv_speed_finish(const FvFeatureInstance *run, const FvWork *work);

/* Terms of each scored plane: its score, a binary32, and whether the covariance of either side was singular. */
extern const FvFeature fv_feature_speed_chroma, fv_feature_speed_temporal;

extern const struct FvGpuFeature fv_speed_gpu;

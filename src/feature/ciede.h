/* CIEDE2000 as a feature. docs/metrics/ciede.md */
#pragma once

#include "cpu/ciede.h"
#include "device/feature.h"

typedef struct FvCiedeOptions {
    bool peer_layout;
} FvCiedeOptions;

/* The option, for the tables of the feature and of the metric. */
#define FV_CIEDE_PEER_LAYOUT                                                                                         \
    ("peer_layout", "", 0, "read chroma of 4:2:2 and of odd widths at the same places as libvmaf")

/* State of an instance. work->frame holds the sum of each band of rows, as int64_t. */
typedef struct FvCiede {
    const FvCiedeKernels *kernels;
    double unit;      /* factor of the sums */
    bool peer_layout; /* the option is set, so the unit is not the default */
} FvCiede;

extern const FvFeature fv_feature_ciede; /* term: the sum of the differences of all pixels, in units of 1 / unit */
extern const struct FvGpuFeature fv_ciede_gpu;

/* The luminance of both videos on a display, in the perceptually uniform units of PU21. docs/metrics/pu.md */
#pragma once

#include "cpu/pu21.h"
#include "device/feature.h"
#include "feature/display.h"

extern const char *const fv_pu_curves[];

typedef struct FvPuOptions {
    FvDisplayOptions display;
    const char *curve;
} FvPuOptions;

/* The options of a metric whose struct has a member `pu`. */
#define FV_PU_OPTIONS(X, Struct)                                                                                     \
    FV_DISPLAY_OPTIONS(X, Struct, pu.display)                                                                        \
    X(Struct, pu.curve, TEXT,                                                                                        \
      ("curve", NULL, "banding_glare", fv_pu_curves,                                                                 \
       "variant of the PU21 curve; all but the default are for comparison"))

/* State of an instance. work->frame has a FvPuSum for each band of rows, then both frames in units of PU21. */
typedef struct FvPu {
    const FvPuKernels *kernels;
    FvLight light;
    FvPuEncoding encoding;
    size_t plane[2];  /* offsets in work->frame of the frames in units of PU21: reference, distorted; rows of float */
    ptrdiff_t stride; /* distance between rows of these frames, in bytes */
} FvPu;

typedef struct FvPuSum {
    uint64_t low, high; /* the sum is low + 2^32 high, in units of 2^-28 */
} FvPuSum;

/* Terms: the sum of squared differences as in FvPuSum, with the low part below 2^32. */
enum { FV_PU_LOW, FV_PU_HIGH, FV_PU_TERMS };

extern const FvFeature fv_feature_pu21;
extern const struct FvGpuFeature fv_pu_gpu;

/* Luminance of both videos on a display, in the perceptually uniform units of PU21. docs/metrics/pu.md */
#pragma once

#include "cpu/pu21.h"
#include "device/feature.h"
#include "feature/light.h"

extern const char *const fv_pu_transfers[], *const fv_pu_curves[];

/* For the feature all of them are set; a metric replaces "auto" and -1 (metric/pu21.c). */
typedef struct FvPuOptions {
    FvLightOptions light;
    double peak, black; /* cd/m2 */
    const char *curve;
} FvPuOptions;

#define FV_PU_OF_TRANSFER -1 /* the value of an option that the transfer decides */

/* The options of a metric whose struct has a member `display`. */
#define FV_PU_OPTIONS(X, Struct)                                                                                     \
    X(Struct, display.light.matrix, TEXT,                                                                            \
      ("matrix", "mat", "auto", fv_light_matrices, "how R'G'B' follow from the planes; auto: by the tags"))          \
    X(Struct, display.light.range, TEXT,                                                                             \
      ("range", "rng", "auto", fv_light_ranges, "range of the samples; auto: by the tags, else limited"))            \
    X(Struct, display.light.transfer, TEXT,                                                                          \
      ("transfer", "trc", "auto", fv_pu_transfers, "curve of the display; auto: by the tags, else bt1886"))          \
    X(Struct, display.light.primaries, TEXT,                                                                         \
      ("primaries", "prim", "auto", fv_light_primaries,                                                              \
       "primaries of the videos; auto: by the tags, else bt2020 for pq and hlg, bt709 for others"))                  \
    X(Struct, display.light.location, TEXT,                                                                          \
      ("chroma_location", "loc", "auto", fv_light_locations,                                                         \
       "where subsampled chroma lies; auto: by the tags, else left"))                                                \
    X(Struct, display.peak, REAL,                                                                                    \
      ("peak", NULL, FV_PU_OF_TRANSFER, FV_PU_OF_TRANSFER, 10000, "cd/m2",                                           \
       "peak luminance of the display, from 1; -1: pq 10000, hlg 1000, others 100"))                                 \
    X(Struct, display.black, REAL,                                                                                   \
      ("black", NULL, FV_PU_OF_TRANSFER, FV_PU_OF_TRANSFER, 5000, "cd/m2",                                           \
       "its black, up to half the peak; -1: pq and hlg 0, others 0.1"))                                              \
    X(Struct, display.curve, TEXT,                                                                                   \
      ("curve", NULL, "banding_glare", fv_pu_curves, "curve of PU21; the others are for comparison"))

/* One run. work->frame: a FvPuSum of each band of rows, then the units of both pictures. */
typedef struct FvPu {
    const FvPuKernels *kernels;
    FvLight light;
    FvPuEncoding encoding;
    size_t plane[2];  /* reference, distorted: rows of float */
    ptrdiff_t stride; /* of their rows, in bytes */
} FvPu;

typedef struct FvPuSum {
    uint64_t low, high; /* low + 2^32 high, in units of 2^-28 */
} FvPuSum;

/* Terms: the sum of squared differences as FvPuSum, whose low part is below 2^32 whatever its parts were. */
enum { FV_PU_LOW, FV_PU_HIGH, FV_PU_TERMS };

extern const FvFeature fv_feature_pu21;
extern const struct FvGpuFeature fv_pu_gpu;

/* Butteraugli as a feature: a map of distances of two frames, and the norms of the map. */
#pragma once

#include "cpu/butteraugli.h"
#include "device/feature.h"
#include "feature/light.h"
#include "picture/region.h"

typedef struct FvButterOptions {
    FvLightOptions light;
    double intensity; /* luminance of linear light 1, in cd/m2 */
    FvRegionOptions region;
} FvButterOptions;

#define FV_BUTTER_OPTIONS(X)                                                                                         \
    FV_LIGHT_OPTIONS(X, FvButterOptions)                                                                             \
    X(FvButterOptions, intensity, REAL,                                                                              \
      ("intensity_target", "nits", 80, 1, 10000, "cd/m2", "luminance of the display's white"))                       \
    FV_REGION_OPTIONS(X, FvButterOptions, region)

#define FV_BUTTER_LEVELS 2

/* State of an instance, for its stages on the CPU and its plan on GPUs. */
typedef struct FvButter {
    FvLight light;
    const FvButterKernels *kernels;
    float intensity;
    int levels;      /* number of levels, 1 or 2 */
    int left, above; /* number of columns and rows by which a small frame is extended at the left and at the top */
    struct FvButterLevel {
        int width, height, across, down; /* size in samples, and number of tiles in each direction */
        float *gain;                     /* [blur]: factors of columns, then of rows */
    } level[FV_BUTTER_LEVELS];
    ptrdiff_t half_stride; /* stride of level 1's map, in floats */
    size_t half;           /* offset of level 1's map in work->frame, after the sums of the tiles */
    FvWeigher weigher;     /* weights of the distances */
    size_t distances;      /* offset of the distances, if they are weighted and no map is requested */
    ptrdiff_t distances_stride;
} FvButter;

extern const FvMapInfo fv_butter_maps[1];

/* Terms: the maximum distance, and the 3-norm, 6-norm, 12-norm and 5-norm of the distances. Map 0: the distances. */
extern const FvFeature fv_feature_butteraugli;

extern const struct FvGpuFeature fv_butter_gpu;

/* Converts a video to linear light: the options of metrics that work on light, and the tables for kernels. */
#pragma once

#include "cpu/light.h"
#include "fovea/fovea.h"

typedef struct FvLightOptions {
    const char *matrix, *range, *transfer, *primaries, *location;
} FvLightOptions;

/* The options of a metric whose struct has a member `light`. The metric replaces "auto" (metric/light.h). */
#define FV_LIGHT_OPTIONS(X, Struct)                                                                                  \
    X(Struct, light.matrix, TEXT,                                                                                    \
      ("matrix", "mat", "auto", fv_light_matrices,                                                                   \
       "matrix by which R'G'B' follow from the planes; auto: by the tags"))                                          \
    X(Struct, light.range, TEXT,                                                                                     \
      ("range", "rng", "auto", fv_light_ranges, "range of the samples; auto: by the tags, else limited"))            \
    X(Struct, light.transfer, TEXT,                                                                                  \
      ("transfer", "trc", "auto", fv_light_transfers,                                                                \
       "curve of the display; auto: by the tags; bt709: a power of 2.4"))                                            \
    X(Struct, light.primaries, TEXT,                                                                                 \
      ("primaries", "prim", "auto", fv_light_primaries, "primaries of the videos; auto: by the tags"))               \
    X(Struct, light.location, TEXT,                                                                                  \
      ("chroma_location", "loc", "auto", fv_light_locations,                                                         \
       "where subsampled chroma lies; auto: by the tags, else left"))

extern const char *const fv_light_matrices[],
    *const fv_light_ranges[], *const fv_light_transfers[], *const fv_light_primaries[], *const fv_light_locations[];

/*
 * Opens the conversion. white: the luminance in cd/m2 that becomes 1, for PQ and HLG. "auto" means BT.709, the
 * format's range, and left-sited chroma. FV_ERROR_INPUT if the format contradicts the options. The caller sets *light
 * to zero before, and calls fv_light_close() after success and failure.
 */
FvStatus fv_light_open(FvLight *light, const FvFormat *format, const FvLightOptions *options, double white,
                       FvError *error);

/*
 * Opens the conversion with a curve of the caller: light for a component in [0, 1]. The options transfer and
 * primaries are ignored.
 */
typedef double FvLightCurve(const void *context, double component);
FvStatus fv_light_open_curve(FvLight *light, const FvFormat *format, const FvLightOptions *options, FvLightCurve *of,
                             const void *context, FvError *error);

void fv_light_close(FvLight *light);

/*
 * The light of a display that shows SDR, PQ or HLG, for metrics whose options describe the display.
 * docs/metrics/pu.md
 */
#pragma once

#include "feature/light.h"

extern const char *const fv_display_transfers[];

typedef struct FvDisplayOptions {
    FvLightOptions light;
    double peak, black; /* luminance of white and black, in cd/m2 */
} FvDisplayOptions;

#define FV_DISPLAY_OF_TRANSFER -1 /* option value: chosen by the transfer */

/* The options of a display in the member `at` of Struct. */
#define FV_DISPLAY_OPTIONS(X, Struct, at)                                                                            \
    X(Struct, at.light.matrix, TEXT,                                                                                 \
      ("matrix", "mat", "auto", fv_light_matrices,                                                                   \
       "matrix by which R'G'B' follow from the planes; auto: by the tags"))                                          \
    X(Struct, at.light.range, TEXT,                                                                                  \
      ("range", "rng", "auto", fv_light_ranges, "range of the samples; auto: by the tags, else limited"))            \
    X(Struct, at.light.transfer, TEXT,                                                                               \
      ("transfer", "trc", "auto", fv_display_transfers, "curve of the display; auto: by the tags, else bt1886"))     \
    X(Struct, at.light.primaries, TEXT,                                                                              \
      ("primaries", "prim", "auto", fv_light_primaries,                                                              \
       "primaries of the videos; auto: by the tags, else bt2020 for pq and hlg, bt709 for others"))                  \
    X(Struct, at.light.location, TEXT,                                                                               \
      ("chroma_location", "loc", "auto", fv_light_locations,                                                         \
       "where subsampled chroma lies; auto: by the tags, else left"))                                                \
    X(Struct, at.peak, REAL,                                                                                         \
      ("peak", NULL, FV_DISPLAY_OF_TRANSFER, FV_DISPLAY_OF_TRANSFER, 10000, "cd/m2",                                 \
       "peak luminance of the display, from 1; -1: pq 10000, hlg 1000, others 100"))                                 \
    X(Struct, at.black, REAL,                                                                                        \
      ("black", NULL, FV_DISPLAY_OF_TRANSFER, FV_DISPLAY_OF_TRANSFER, 5000, "cd/m2",                                 \
       "black level of the display, up to half the peak; -1: pq and hlg 0, others 0.1"))

/*
 * Returns `given` with "auto" and -1 replaced by the defaults: bt1886, and the transfer's peak, black and primaries.
 */
FvDisplayOptions fv_display_settled(const FvDisplayOptions *given);

/*
 * Opens the conversion to the display's light. No option may be "auto" or -1. Light is in cd/m2, but for hlg it is
 * scene light.
 */
FvStatus fv_display_open(FvLight *light, const FvFormat *format, const FvDisplayOptions *options, FvError *error);

/* Returns the exponent of the system gamma of hlg, or 0 for other transfers. */
double fv_display_gamma(const FvDisplayOptions *options);

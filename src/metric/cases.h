/*
 * The frames and options for comparing a device with scalar C. For every feature, the list has sizes around the tiles
 * of kernels, all depths, chroma formats and fills, and then options that select other code in kernels. tests/gpu and
 * device reports (metric/device_report.c) share this list.
 */
#pragma once

#include "device/compare.h"

/* The extent of the list. Each extent includes the cases of those before it. */
typedef enum FvCaseExtent { FV_CASES_BRIEF, FV_CASES_SHORT, FV_CASES_FULL } FvCaseExtent;

typedef struct FvCase {
    const FvFeature *feature;
    const void *options; /* options of the feature */
    const char *metric;  /* metric of the feature */
    const char *text;    /* options of the metric; "": the defaults */
    FvFormat format;
    int fill;             /* FV_FILL_NOISE... */
    int pairs;            /* number of pairs of frames */
    bool without_float64; /* treat the device as one without doubles */
} FvCase;

/*
 * Calls `visit` for every case of the features of every metric, or of the metric `only`; each feature is visited
 * once. with_kernels: visit only features that have GPU kernels. FV_ERROR_MEMORY.
 */
FvStatus fv_cases_visit(FvCaseExtent extent, const char *only, bool with_kernels, void *opaque,
                        void (*visit)(void *opaque, const FvCase *one), FvError *error);

/* Calls `visit` once for every feature that fv_cases_visit() visits, with the options that its metric requests. */
FvStatus fv_cases_features(const char *only, bool with_kernels, void *opaque,
                           void (*visit)(void *opaque, const char *metric, const FvFeature *feature,
                                         const void *options),
                           FvError *error);

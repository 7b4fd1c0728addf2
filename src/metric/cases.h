/*
 * The frames and options on which a device is compared with scalar C: of every feature, sizes around tiles, depths,
 * chroma formats and fills, and then options for which kernels use other code. tests/gpu and the reports of devices
 * (metric/device_report.c) have this one list.
 */
#pragma once

#include "device/compare.h"

/* The extent of the list: the brief cases, those that the short list adds, and those that the full list adds. */
typedef enum FvCaseExtent { FV_CASES_BRIEF, FV_CASES_SHORT, FV_CASES_FULL } FvCaseExtent;

typedef struct FvCase {
    const FvFeature *feature;
    const void *options; /* options of the feature */
    const char *metric;  /* metric of the feature */
    const char *text;    /* options of the metric; "": the usual ones */
    FvFormat format;
    int fill;             /* FV_FILL_NOISE... */
    int pairs;            /* number of pairs of frames */
    bool without_float64; /* treat the device as one without doubles */
} FvCase;

/*
 * Calls `visit` for every case of the features of every metric, or of the one called `only`, each feature once.
 * with_kernels: only for features that have kernels of GPUs. FV_ERROR_MEMORY.
 */
FvStatus fv_cases_visit(FvCaseExtent extent, const char *only, bool with_kernels, void *opaque,
                        void (*visit)(void *opaque, const FvCase *one), FvError *error);

/* Calls `visit` for each of these features, with the options that its metric wants. */
FvStatus fv_cases_features(const char *only, bool with_kernels, void *opaque,
                           void (*visit)(void *opaque, const char *metric, const FvFeature *feature,
                                         const void *options),
                           FvError *error);

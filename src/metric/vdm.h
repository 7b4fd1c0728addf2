/* Computes scores of the visual discrimination model from the statistics of a map. docs/metrics/vdm.md */
#pragma once

#include "feature/vdm.h"

/* The scores in the order of the metric's outputs. */
typedef enum FvVdmScore {
    FV_VDM_MEAN,
    FV_VDM_MIN,
    FV_VDM_MAX,
    FV_VDM_P50,
    FV_VDM_P95,
    FV_VDM_P99,
    FV_VDM_MINKOWSKI,
    FV_VDM_DETECT,
    FV_VDM_VISIBLE,
    FV_VDM_CORRECT_2AFC,
    FV_VDM_SCORES
} FvVdmScore;

/*
 * Computes the scores of a map of `samples` samples with `ppd` samples per degree, from the map's terms. slope: slope
 * of the psychometric function.
 */
void fv_vdm_scores(const FvTerm *terms, double samples, double ppd, double slope, double *values);

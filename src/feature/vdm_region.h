/* Statistics of the map of the visual discrimination model with weighted samples. docs/metrics/vdm.md */
#pragma once

#include "feature/vdm_plan.h"

/* Opens the weights of the map's samples, and allocates memory for the statistics. Does nothing without a region. */
FvStatus fv_vdm_region_open(FvVdmPlan *plan, FvError *error);

/* Starts a frame. Call it before the first band. */
void fv_vdm_region_begin(const FvVdmPlan *plan, float *frame);

/* Counts a band: `count` rows of the map from row `first` on. `rows` starts with row `first`. */
void fv_vdm_region_count(const FvVdmPlan *plan, const FvVdmPair *pair, int band, int first, int count,
                         const FvVdmPlane *rows);

/*
 * Computes the percentiles among the terms from FV_VDM_BINS bins: from counts of samples, or from weights, whose sum
 * is `total`. One of the two is NULL.
 */
void fv_vdm_percentiles(const uint32_t *counts, const uint64_t *weights, int64_t total, FvTerm *row);

/* Computes the terms of the frame. Call it after the last band. */
void fv_vdm_region_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row);

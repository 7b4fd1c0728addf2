/* Statistics of the map of the visual discrimination model in which samples have weights. docs/metrics/vdm.md */
#pragma once

#include "feature/vdm_plan.h"

/* Weighs the samples of the map, and takes memory for the statistics. Without a region it takes none. */
FvStatus fv_vdm_region_open(FvVdmPlan *plan, FvError *error);

/* Begins a frame. Call it before the first band. */
void fv_vdm_region_begin(const FvVdmPlan *plan, float *frame);

/* Counts a band: `count` rows of the map from row `first` on, which is row 0 of `rows`. */
void fv_vdm_region_count(const FvVdmPlan *plan, const FvVdmPair *pair, int band, int first, int count,
                         const FvVdmPlane *rows);

/*
 * The percentiles among the terms, from FV_VDM_BINS counts of samples, or from their weights, which are `total` in
 * all; one of the two is NULL.
 */
void fv_vdm_percentiles(const uint32_t *counts, const uint64_t *weights, int64_t total, FvTerm *row);

/* Computes the terms of the frame. Call it after the last band. */
void fv_vdm_region_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row);

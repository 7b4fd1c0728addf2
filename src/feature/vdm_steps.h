/* The visual discrimination model step by step on the CPU, and the terms of a frame. */
#pragma once

#include "feature/vdm_plan.h"

/* Steps, in order. RETINA and ENLARGE are for pictures whose retina has another size. */
typedef enum FvVdmStep {
    FV_VDM_STEP_OPTICS,
    FV_VDM_STEP_RETINA,
    FV_VDM_STEP_TIME, /* in order of frames; TIME and TRANSIENT only with temporal channels */
    FV_VDM_STEP_REDUCE,
    FV_VDM_STEP_PYRAMID,
    FV_VDM_STEP_RESPOND,
    FV_VDM_STEP_TRANSIENT,
    FV_VDM_STEP_WEIGH,  /* only where each frame has its own weights */
    FV_VDM_STEP_LEVELS, /* only when a map of a level is wanted */
    FV_VDM_STEP_ADD,
    FV_VDM_STEP_ENLARGE,
    FV_VDM_STEP_MAP,
    FV_VDM_STEPS
} FvVdmStep;

int fv_vdm_jobs(const FvVdmPlan *plan, FvVdmStep step); /* 0: the step is not needed */
void fv_vdm_job(const FvVdmPlan *plan, const FvVdmPair *pair, FvVdmStep step, int job);

/* Writes FV_VDM_TERMS terms. Call it after the last step. */
void fv_vdm_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row);

/* For devices that compute the statistics themselves: all sums, row by row, and the other statistics of a map. */
FvVdmSums *fv_vdm_sums(const FvVdmPlan *plan, float *frame);
void fv_vdm_counted(const FvVdmPlan *plan, float *frame, const FvVdmCount *count);

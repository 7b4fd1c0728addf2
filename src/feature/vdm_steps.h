/* The visual discrimination model step by step on the CPU, and the terms of a frame. */
#pragma once

#include "feature/vdm_plan.h"

/* The steps in order. RETINA and ENLARGE are for frames whose retina has another size. */
typedef enum FvVdmStep {
    FV_VDM_STEP_OPTICS,
    FV_VDM_STEP_RETINA,
    FV_VDM_STEP_TIME, /* one frame after the other; TIME and TRANSIENT only with temporal channels */
    FV_VDM_STEP_REDUCE,
    FV_VDM_STEP_PYRAMID,
    FV_VDM_STEP_RESPOND,
    FV_VDM_STEP_TRANSIENT,
    FV_VDM_STEP_WEIGH,  /* only if each frame has its own weights */
    FV_VDM_STEP_LEVELS, /* only if a map of a level is requested */
    FV_VDM_STEP_ADD,
    FV_VDM_STEP_ENLARGE,
    FV_VDM_STEP_MAP,
    FV_VDM_STEPS
} FvVdmStep;

int fv_vdm_jobs(const FvVdmPlan *plan, FvVdmStep step); /* 0: the step is not needed */
void fv_vdm_job(const FvVdmPlan *plan, const FvVdmPair *pair, FvVdmStep step, int job);

/* Writes FV_VDM_TERMS terms. Call it after the last step. */
void fv_vdm_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row);

/*
 * For devices that compute the statistics themselves: fv_vdm_sums() returns where the sums of rows go, and
 * fv_vdm_counted() stores the other statistics.
 */
FvVdmSums *fv_vdm_sums(const FvVdmPlan *plan, float *frame);
void fv_vdm_counted(const FvVdmPlan *plan, float *frame, const FvVdmCount *count);

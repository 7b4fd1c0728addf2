/* The temporal channels of the visual discrimination model on the CPU: sustained and transient. */
#pragma once

#include "feature/vdm_plan.h"

/*
 * Advances the temporal filters by rows of a frame on the retina, and writes the sustained and the transient frame.
 */
void fv_vdm_follow_rows(const FvVdmPlan *plan, const FvVdmPair *pair, int picture, int row, int rows);

/*
 * Computes the contrast of the transient frame at level FV_VDM_TRANSIENT_LEVEL, relative to the adaptation luminance
 * there.
 */
void fv_vdm_flicker(const FvVdmPlan *plan, const FvVdmPair *pair, int picture);

/* Adds the difference of the two frames' transient contrasts to the sums of level FV_VDM_TRANSIENT_LEVEL. */
void fv_vdm_transient_rows(const FvVdmPlan *plan, const FvVdmPair *pair, int row, int rows);

/* The input samples of each resampled one in a row or column, and their coefficients. docs/scaling.md */
#pragma once

#include "cpu/scale.h"
#include "fovea/fovea.h"

/* One direction of a plane. Sizes are those of luma, after cropping. */
typedef struct FvScaleAxis {
    int in, out;                 /* luma samples */
    int sub_in, sub_out;         /* luma samples that share one of this plane: 1 or 2 */
    int at_in, at_out;           /* its place in quarters of its distance: -1 left or top, 0 centre, 1 bottom */
    int samples_in, samples_out; /* of this plane */
} FvScaleAxis;

/* FV_ERROR_USAGE when b and c make a kernel whose overshoot the arithmetic cannot hold. To be closed in any case. */
FvStatus fv_scale_table_open(FvScaleTable *table, const FvScaleAxis *axis, FvScaleKernel kernel, double b, double c,
                             FvError *error);

void fv_scale_table_close(FvScaleTable *table);

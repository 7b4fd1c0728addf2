/* The input samples of each resampled one in a row or column, and their coefficients. docs/scaling.md */
#pragma once

#include "cpu/scale.h"
#include "fovea/fovea.h"

/* One direction of a plane. Sizes are in luma samples, after cropping. */
typedef struct FvScaleAxis {
    int in, out;         /* luma samples */
    int sub_in, sub_out; /* luma samples that share one of this plane: 1 or 2 */
    int at_in, at_out; /* position of its samples in quarters of their distance: -1 left or top, 0 centre, 1 bottom */
    int samples_in, samples_out; /* number of samples of this plane */
} FvScaleAxis;

/*
 * Opens a table. The caller closes it, also after a failure. FV_ERROR_USAGE: the overshoot of the kernel with these b
 * and c exceeds the arithmetic.
 */
FvStatus fv_scale_table_open(FvScaleTable *table, const FvScaleAxis *axis, FvScaleKernel kernel, double b, double c,
                             FvError *error);

void fv_scale_table_close(FvScaleTable *table);

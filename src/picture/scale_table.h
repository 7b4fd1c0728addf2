/* Lists the input samples of each output sample in a row or column, and their coefficients. docs/scaling.md */
#pragma once

#include "cpu/scale.h"
#include "fovea/fovea.h"

/* One axis of a plane, horizontal or vertical. Sizes are those after cropping. */
typedef struct FvScaleAxis {
    int in, out;         /* number of luma samples along the axis */
    int sub_in, sub_out; /* luma samples per sample of this plane: 1, 2 or 4 */
    int at_in, at_out;   /* position of a sample among these luma samples: -1 the first, 0 the middle, 1 the last */
    int samples_in, samples_out; /* number of samples of this plane */
} FvScaleAxis;

/*
 * Opens a table. The caller closes it, also after a failure. FV_ERROR_USAGE: the kernel with these b and c overshoots
 * so far that sums would overflow.
 */
FvStatus fv_scale_table_open(FvScaleTable *table, const FvScaleAxis *axis, FvScaleKernel kernel, double b, double c,
                             FvError *error);

void fv_scale_table_close(FvScaleTable *table);

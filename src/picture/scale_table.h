/* Which samples of a row or column make a resampled one, and with which coefficients. docs/scaling.md */
#ifndef FV_PICTURE_SCALE_TABLE_H
#define FV_PICTURE_SCALE_TABLE_H

#include "fovea/fovea.h"

#define FV_SCALE_GROUP 4  /* taps are padded to groups */
#define FV_SCALE_BLOCK 32 /* and outputs to blocks, with coefficients 0 */

/* One direction of a plane. Sizes are those of luma, after cropping. */
typedef struct FvScaleAxis {
    int in, out;                 /* luma samples */
    int sub_in, sub_out;         /* luma samples that share one of this plane: 1 or 2 */
    int at_in, at_out;           /* where it lies, in quarters of its distance: -1 left or top, 0 centre, 1 bottom */
    int samples_in, samples_out; /* of this plane */
} FvScaleAxis;

/* Sample `first[i] + j` weighs coefficient[(j / 2 * padded + i) * 2 + j % 2]; it is that at the edge outside. */
typedef struct FvScaleTable {
    bool identity;
    int count, padded; /* outputs; rounded up to a block */
    int used, taps;    /* of an output: at most; rounded up to a group */
    int near4, near16; /* how far apart the first samples of 4 and of 16 outputs in a row are at most */
    int *first;
    int16_t *coefficient;
} FvScaleTable;

/* FV_ERROR_USAGE when b and c make a kernel that overshoots too much. To be closed in any case. */
FvStatus fv_scale_table_open(FvScaleTable *table, const FvScaleAxis *axis, FvScaleKernel kernel, double b, double c,
                             FvError *error);

void fv_scale_table_close(FvScaleTable *table);

static inline int fv_scale_coefficient(const FvScaleTable *table, int i, int tap)
{
    return table->coefficient[((ptrdiff_t)(tap / 2) * table->padded + i) * 2 + tap % 2];
}

#endif

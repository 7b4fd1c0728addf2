/* VMAF's motion, the reference. */
#include "cpu/motion.h"

#include "arith/scalar.h"

#include "arith/motion.h"
#include "cpu/border.h"

static int32_t difference(const FvMotionPlanes *p, int x, int y)
{
    const uint8_t *older = p->older + y * p->older_stride, *newer = p->newer + y * p->newer_stride;
    return p->depth == 8 ? older[x] - newer[x] : ((const uint16_t *)older)[x] - ((const uint16_t *)newer)[x];
}

static uint64_t sad(const FvMotionPlanes *p, int first, int rows, void *scratch)
{
    int32_t *column = scratch; /* sums over columns of one row */
    uint64_t sum = 0;
    for (int y = first; y < first + rows; y++) {
        int row[5];
        for (int k = 0; k < 5; k++)
            row[k] = fv_mirror(y - 2 + k, p->height);
        for (int x = 0; x < p->width; x++)
            column[x] = fv_motion_blur(difference(p, x, row[0]), difference(p, x, row[1]), difference(p, x, row[2]),
                                       difference(p, x, row[3]), difference(p, x, row[4]), p->depth);
        for (int x = 0; x < p->width; x++) {
            int32_t blurred =
                fv_motion_blur(column[fv_mirror(x - 2, p->width)], column[fv_mirror(x - 1, p->width)], column[x],
                               column[fv_mirror(x + 1, p->width)], column[fv_mirror(x + 2, p->width)], 16);
            sum += (uint32_t)fv_motion_magnitude(blurred);
        }
    }
    return sum;
}

const FvMotionKernels fv_motion_kernels_scalar = {.sad = sad};

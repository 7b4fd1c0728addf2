/* XPSNR, the reference: the activities of a block, sample by sample. */
#include <stdlib.h>

#include "arith/xpsnr.h"
#include "cpu/border.h"
#include "cpu/xpsnr.h"

typedef struct Plane {
    const uint8_t *data;
    ptrdiff_t stride;
    int width, height, bytes;
} Plane;

/*
 * Returns a sample. Coordinates outside the frame mean its edge; only frames of odd size above 2048x1152 need them.
 */
static int32_t at(const Plane *plane, int x, int y)
{
    const uint8_t *row = plane->data + fv_clamp(y, plane->height) * plane->stride;
    x = fv_clamp(x, plane->width);
    return plane->bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
}

static int32_t column(const Plane *p, int x, int y)
{
    return FV_XPSNR_121(at(p, x, y - 1), at(p, x, y), at(p, x, y + 1));
}

static int32_t fine(const Plane *p, int x, int y)
{
    return FV_XPSNR_CENTRE(at(p, x, y)) - FV_XPSNR_121(column(p, x - 1, y), column(p, x, y), column(p, x + 1, y));
}

static int32_t four(const Plane *p, int x, int y)
{
    return at(p, x, y) + at(p, x + 1, y) + at(p, x, y + 1) + at(p, x + 1, y + 1);
}

/* Returns the sum of the four samples in columns x + left and x + right of the rows y + top and y + bottom. */
static int32_t corners(const Plane *p, int x, int y, int left, int right, int top, int bottom)
{
    return at(p, x + left, y + top) + at(p, x + right, y + top) + at(p, x + left, y + bottom) +
           at(p, x + right, y + bottom);
}

static int32_t coarse(const Plane *p, int x, int y)
{
    return FV_XPSNR_FOUR(four(p, x, y)) - FV_XPSNR_RING(corners(p, x, y, -1, 2, -2, 3), corners(p, x, y, 0, 1, -2, 3),
                                                        corners(p, x, y, -2, 3, -1, 2),
                                                        corners(p, x, y, -1, 2, -1, 2), corners(p, x, y, 0, 1, -1, 2),
                                                        corners(p, x, y, -2, 3, 0, 1), corners(p, x, y, -1, 2, 0, 1));
}

static FvXpsnrActivity measure_activity(const FvXpsnrBlock *b, int bytes, int step,
                                        int32_t (*spatial)(const Plane *, int, int),
                                        int32_t (*sample)(const Plane *, int, int))
{
    Plane now = {b->luma, b->stride, b->width, b->height, bytes}, before[2];
    for (int i = 0; i < b->order; i++)
        before[i] = (Plane){b->before[i], b->before_stride[i], b->width, b->height, bytes};
    FvXpsnrActivity sum = {0};
    for (int y = b->window.y0; y < b->window.y1; y += step)
        for (int x = b->window.x0; x < b->window.x1; x += step)
            sum.spatial += (uint32_t)abs(spatial(&now, x, y));
    for (int y = b->block.y0; y < b->block.y1; y += step)
        for (int x = b->block.x0; x < b->block.x1; x += step) {
            int32_t ends = sample(&now, x, y) + (b->order == 2 ? sample(&before[1], x, y) : 0);
            sum.temporal += (uint32_t)abs(ends - FV_XPSNR_STEADY(b->order, sample(&before[0], x, y)));
        }
    return sum;
}

static FvXpsnrActivity fine8(const FvXpsnrBlock *block)
{
    return measure_activity(block, 1, 1, fine, at);
}

static FvXpsnrActivity fine16(const FvXpsnrBlock *block)
{
    return measure_activity(block, 2, 1, fine, at);
}

static FvXpsnrActivity coarse8(const FvXpsnrBlock *block)
{
    return measure_activity(block, 1, 2, coarse, four);
}

static FvXpsnrActivity coarse16(const FvXpsnrBlock *block)
{
    return measure_activity(block, 2, 2, coarse, four);
}

const FvXpsnrKernels fv_xpsnr_kernels_scalar = {
    .fine8 = fine8, .fine12 = fine16, .fine16 = fine16, .coarse8 = coarse8, .coarse16 = coarse16};

/* Parity cases of XPSNR: the activities of a block, alone and at every edge of the picture. */
#include "cpu/xpsnr.h"

#include "parity.h"

static FvXpsnrKernel *kernel_of(const Parity *p, bool coarse)
{
    const FvXpsnrKernels *kernels = fv_xpsnr_kernels(p->runner->isa);
    if (coarse)
        return p->depth > 8 ? kernels->coarse16 : kernels->coarse8;
    return p->depth > 12 ? kernels->fine16 : p->depth > 8 ? kernels->fine12 : kernels->fine8;
}

/* Tests a picture of one block, or of several blocks of 12 by 12, whose windows end within the picture. */
static void measure(Parity *p, bool coarse, int side)
{
    ptrdiff_t stride, before_stride[2], zero_stride;
    const uint8_t *luma = parity_samples(p, "luma", p->width, p->height, &stride);
    const uint8_t *before = parity_samples(p, "before", p->width, p->height, &before_stride[0]);
    const uint8_t *oldest = parity_samples(p, "oldest", p->width, p->height, &before_stride[1]);
    uint8_t *zero = parity_input(p, "zero", (size_t)p->width * (p->depth > 8 ? 2 : 1), 1, &zero_stride);
    for (ptrdiff_t i = 0; i < p->width * (p->depth > 8 ? 2 : 1); i++)
        zero[i] = 0;
    int edge = coarse ? 2 : 1, bytes = p->depth > 8 ? 2 : 1;
    FvXpsnrBlock block = {.luma = luma,
                          .before = {p->variant == 2 ? zero : before, oldest},
                          .stride = stride,
                          .before_stride = {p->variant == 2 ? 0 : before_stride[0], before_stride[1]},
                          .width = p->width,
                          .height = p->height,
                          .order = p->variant == 1 ? 2 : 1};
    FvXpsnrActivity sum = {0};
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * bytes * (1 + block.order));
    PARITY_CALL(
        p, for (int y = 0; y < p->height; y += side) for (int x = 0; x < p->width; x += side) {
            int x1 = x + side < p->width ? x + side : p->width, y1 = y + side < p->height ? y + side : p->height;
            block.block = (FvXpsnrBox){x, y, x1, y1};
            block.window = (FvXpsnrBox){x ? x : edge, y ? y : edge, x1 < p->width ? x1 : x1 - edge,
                                        y1 < p->height ? y1 : y1 - edge};
            FvXpsnrActivity one = kernel_of(p, coarse)(&block);
            sum.spatial = 3 * sum.spatial + one.spatial;
            sum.temporal = 3 * sum.temporal + one.temporal;
        });
    parity_value(p, "spatial", &sum.spatial, sizeof sum.spatial);
    parity_value(p, "temporal", &sum.temporal, sizeof sum.temporal);
}

static void fine(Parity *p)
{
    measure(p, false, 1456);
}

static void fine_blocks(Parity *p)
{
    measure(p, false, 12);
}

static void coarse(Parity *p)
{
    measure(p, true, 1456);
}

static void coarse_blocks(Parity *p)
{
    measure(p, true, 12);
}

static const int depths[] = {8, 10, 12, 16, 0};
static const char *const variants[] = {"first order", "second order", "first frame", NULL};
/* Widths near 1456, the largest block, bring 32-bit sums to their limit. Other widths end in partial blocks of 12. */
static const ParitySize sizes[] = {{1, 1},   {3, 5},   {5, 3},    {8, 8},    {17, 4},   {31, 33},  {33, 31}, {64, 7},
                                   {65, 12}, {67, 13}, {129, 20}, {1456, 3}, {1457, 2}, {2913, 7}, {0, 0}};

const ParityKernel parity_xpsnr[] = {
    {.noun = "xpsnr", .name = "fine", .body = fine, .depths = depths, .sizes = sizes, .variants = variants},
    {.noun = "xpsnr",
     .name = "fine blocks",
     .body = fine_blocks,
     .depths = depths,
     .sizes = sizes,
     .variants = variants,
     .bench = {-1, 0}},
    {.noun = "xpsnr", .name = "coarse", .body = coarse, .depths = depths, .sizes = sizes, .variants = variants},
    {.noun = "xpsnr",
     .name = "coarse blocks",
     .body = coarse_blocks,
     .depths = depths,
     .sizes = sizes,
     .variants = variants,
     .bench = {-1, 0}},
    {0},
};

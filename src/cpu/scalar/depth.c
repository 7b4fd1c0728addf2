/* Finds which bits 16-bit samples use: the reference. */
#include "cpu/depth.h"

static unsigned join(const uint8_t *words, ptrdiff_t stride, int width, int rows)
{
    unsigned all = 0;
    for (int y = 0; y < rows; y++, words += stride)
        for (int x = 0; x < width; x++)
            all |= ((const uint16_t *)words)[x];
    return all;
}

const FvDepthKernels fv_depth_kernels_scalar = {.join = join};

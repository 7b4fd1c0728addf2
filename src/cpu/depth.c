/* Finds which bits 16-bit samples use, for one instruction set. */
#include "cpu/depth.h"

#include "cpu/simd.h"

static unsigned join(const uint8_t *words, ptrdiff_t stride, int width, int rows)
{
    const int step = FV_VECTOR_BYTES / 2;
    fv_u16 even = {0}, odd = {0};
    unsigned all = 0;
    for (int y = 0; y < rows; y++, words += stride) {
        const uint16_t *row = (const uint16_t *)words;
        int x = 0;
        for (; x + 4 * step <= width; x += 4 * step) {
            even |= FV_LOAD(fv_u16, row + x) | FV_LOAD(fv_u16, row + x + step);
            odd |= FV_LOAD(fv_u16, row + x + 2 * step) | FV_LOAD(fv_u16, row + x + 3 * step);
        }
        for (; x + step <= width; x += step)
            even |= FV_LOAD(fv_u16, row + x);
        for (; x < width; x++)
            all |= row[x];
    }
    even |= odd;
    for (int i = 0; i < step; i++)
        all |= even[i];
    return all;
}

const FvDepthKernels FV_ISA_STRUCT(fv_depth_kernels) = {.join = join};

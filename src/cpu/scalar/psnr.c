/* PSNR, the reference. */
#include "cpu/psnr.h"

static uint64_t sse8(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                     int rows)
{
    uint64_t sum = 0;
    for (int y = 0; y < rows; y++, ref += ref_stride, dis += dis_stride)
        for (int x = 0; x < width; x++) {
            int d = ref[x] - dis[x];
            sum += (uint32_t)(d * d);
        }
    return sum;
}

static uint64_t sse16(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows)
{
    uint64_t sum = 0;
    for (int y = 0; y < rows; y++, ref += ref_stride, dis += dis_stride)
        for (int x = 0; x < width; x++) {
            int64_t d = (int64_t)((const uint16_t *)ref)[x] - ((const uint16_t *)dis)[x];
            sum += (uint64_t)(d * d);
        }
    return sum;
}

const FvPsnrKernels fv_psnr_kernels_scalar = {.sse8 = sse8, .sse12 = sse16, .sse16 = sse16};

#include "cpu/psnr.h"

#define SUM(type)                                                                                                    \
    for (int y = 0; y < rows; y++, ref += ref_stride, dis += dis_stride, weight += weight_stride)                    \
        for (int x = 0; x < width; x++) {                                                                            \
            const int64_t d = (int64_t)((const type *)(const void *)ref)[x] - ((const type *)(const void *)dis)[x];  \
            total += (uint64_t)(d * d) * weight[x];                                                                  \
        }

uint64_t fv_weighted_sse(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride,
                         int sample_bytes, const uint32_t *weight, ptrdiff_t weight_stride, int width, int rows)
{
    uint64_t total = 0;
    if (sample_bytes == 1) {
        SUM(uint8_t)
    } else {
        SUM(uint16_t)
    }
    return total;
}

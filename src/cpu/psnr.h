/* Kernels of PSNR on the CPU. */
#pragma once

#include "base/isa.h"

typedef struct FvPsnrKernels {
    /*
     * Returns the sum of squared differences over `rows` rows of `width` samples; strides in bytes. May read the
     * padding of a row.
     */
    uint64_t (*sse8)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                     int rows);
    /* sse12: 16-bit words up to 4095; sse16: any 16-bit words. */
    uint64_t (*sse12)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows);
    uint64_t (*sse16)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows);
} FvPsnrKernels;

FV_FAMILY(FvPsnrKernels, fv_psnr_kernels)

/*
 * Returns the sum of squared differences, each times its weight; weight_stride in weights. A sum above 64 bits wraps.
 */
uint64_t fv_weighted_sse(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride,
                         int sample_bytes, const uint32_t *weight, ptrdiff_t weight_stride, int width, int rows);

/* Kernels of PSNR on the CPU. */
#pragma once

#include "base/isa.h"

typedef struct FvPsnrKernels {
    /* Sum of squared differences over `rows` rows of `width` samples; strides in bytes. May read a row's padding. */
    uint64_t (*sse8)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                     int rows);
    /* 16-bit words not above 4095, and any 16-bit words. */
    uint64_t (*sse12)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows);
    uint64_t (*sse16)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows);
} FvPsnrKernels;

FV_FAMILY(FvPsnrKernels, fv_psnr_kernels)

/* The same with each square times its weight; weight_stride in weights. A sum beyond 64 bits wraps. */
uint64_t fv_weighted_sse(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride,
                         int sample_bytes, const uint32_t *weight, ptrdiff_t weight_stride, int width, int rows);

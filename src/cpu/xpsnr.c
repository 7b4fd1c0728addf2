/* XPSNR kernels for one instruction set. */
#include "cpu/xpsnr.h"

#include "cpu/simd.h"

#include "arith/xpsnr.h"

/* The side of a block of the largest frame: 4 * trunc(32 * sqrt(32768^2 / 8294400) + 0.5). */
#define MOST_SIDE 1456

static fv_u64 widen(fv_u32 sums)
{
    return ((fv_u64)sums & 0xffffffffu) + ((fv_u64)sums >> 32);
}

static uint64_t add_up(fv_u64 sums)
{
    uint64_t sum = 0;
    for (int i = 0; i < FV_LANES / 2; i++)
        sum += sums[i];
    return sum;
}

FV_FN fv_u16 distance_u16(fv_u16 a, fv_u16 b)
{
    return 2 * fv_max_u16(a, b) - a - b;
}

/* Returns |a - b| for values below 2^31. */
FV_FN fv_u32 distance_u32(fv_u32 a, fv_u32 b)
{
    return (fv_u32)fv_max_i32((fv_i32)(a - b), (fv_i32)(b - a));
}

/* A row or column of the largest block adds less than 2^32 to a lane: 1456 samples of at most 2^20. */
#define ADD_U16(sum, v)                                                                                              \
    do {                                                                                                             \
        fv_u32 both_ = (fv_u32)(v);                                                                                  \
        (sum) += (both_ & 0xffffu) + (both_ >> 16);                                                                  \
    } while (0)

#define SAMPLE uint8_t
#define LANES fv_u16
#define LANE uint16_t
#define COUNT (2 * FV_LANES)
#define LOAD(from) __builtin_convertvector(FV_LOAD(fv_u8_half, from), fv_u16)
#define DISTANCE distance_u16
#define ADD ADD_U16
#define PAIRS 0
#define NAME(word) word##_fine8
#include "cpu/xpsnr-inl.h"

#define SAMPLE uint16_t
#define LANES fv_u16
#define LANE uint16_t
#define COUNT (2 * FV_LANES)
#define LOAD(from) FV_LOAD(fv_u16, from)
#define DISTANCE distance_u16
#define ADD ADD_U16
#define PAIRS 0
#define NAME(word) word##_fine12
#include "cpu/xpsnr-inl.h"

#define SAMPLE uint16_t
#define LANES fv_u32
#define LANE uint32_t
#define COUNT FV_LANES
#define LOAD(from) ((fv_u32)fv_i32_from_u16(FV_LOAD(fv_u16_half, from)))
#define DISTANCE distance_u32
#define ADD(sum, v) ((sum) += (v))
#define PAIRS 0
#define NAME(word) word##_fine16
#include "cpu/xpsnr-inl.h"

#define SAMPLE uint8_t
#define LANES fv_u16
#define LANE uint16_t
#define COUNT (2 * FV_LANES)
#define DISTANCE distance_u16
#define ADD ADD_U16
#define PAIRS 1
#define NAME(word) word##_coarse8
#include "cpu/xpsnr-inl.h"

#define SAMPLE uint16_t
#define LANES fv_u32
#define LANE uint32_t
#define COUNT FV_LANES
#define DISTANCE distance_u32
#define ADD(sum, v) ((sum) += (v))
#define PAIRS 1
#define NAME(word) word##_coarse16
#include "cpu/xpsnr-inl.h"

const FvXpsnrKernels FV_ISA_STRUCT(fv_xpsnr_kernels) = {.fine8 = measure_fine8,
                                                        .fine12 = measure_fine12,
                                                        .fine16 = measure_fine16,
                                                        .coarse8 = measure_coarse8,
                                                        .coarse16 = measure_coarse16};

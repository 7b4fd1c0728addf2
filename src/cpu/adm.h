/* Kernels of ADM on the CPU: wavelet, detail and masking of a band of rows of one scale. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

#define FV_ADM_SCALES 4

/*
 * One scale of ADM with the options of one feature instance: sizes and constants. Bands are h, v, d. Regions are half
 * open, in coefficients of a band.
 */
typedef struct FvAdmScale {
    int scale;                    /* 0 to 3 */
    int depth;                    /* depth of the samples, which are the input of scale 0 */
    int width, height;            /* size of the input in samples or coefficients */
    int columns, rows;            /* size of a band in coefficients */
    int left, right, top, bottom; /* the scored region: columns [left, right), rows [top, bottom) */
    bool scored;                  /* false: the caller needs the low-pass band only */
    bool impairment;              /* whether the caller needs the numerator of the additive part */
    int limit;                    /* enhancement gain limit if it is a whole number, else 0 and gain_limit holds it */
    double gain_limit;
    uint32_t factor[3]; /* contrast sensitivity of each band, times 2^32; at scale 0 times 2^21 (h, v) or 2^23 (d) */
    /*
     * Whether plain C must compute the scale: the factors exceed the limits of arith/adm.h, or the gain limit has a
     * fraction.
     */
    bool wraps;
    int threshold_bits[3], square_bits[3], cube_bits[3], row_bits; /* right shifts in the sums of the numerators */
    int detail_square_bits, detail_cube_bits, detail_row_bits;     /* right shifts in the sum of the denominator */
} FvAdmScale;

/* Returns the shift of the threshold, which depends on the scale and the band only. */
static inline __attribute__((always_inline)) int fv_adm_threshold_bits(int scale, int band)
{
    return scale ? 0 : band == 2 ? 12 : 10;
}

static inline __attribute__((always_inline)) int fv_adm_square_bits(int scale, int band)
{
    return scale || band == 2 ? 30 : 29;
}

/* Rows of samples (8 or 16 bits), or of the previous scale's low-pass band (16 bits from scale 0, else 32 bits). */
typedef struct FvAdmPlane {
    void *data;
    ptrdiff_t stride; /* distance between rows in bytes */
} FvAdmPlane;

/* Sums of each band over the scored part of some rows. Each row's sum is rounded before it is added. */
typedef struct FvAdmSums {
    int64_t detail[3], restored[3], additive[3];
} FvAdmSums;

typedef struct FvAdmKernels {
    /*
     * Computes rows [first, first + count) of the bands: writes the low-pass bands of the reference (low[0]) and of
     * the distorted frame (low[1]) and, if `scored`, the sums. Reads input rows, and writes rows of the bands, up to
     * a multiple of 64 bytes.
     */
    void (*rows)(const FvAdmScale *scale, const FvAdmPlane input[2], const FvAdmPlane low[2], int first, int count,
                 void *scratch, FvAdmSums *sums);
} FvAdmKernels;

FV_FAMILY(FvAdmKernels, fv_adm_kernels)

/*
 * Working memory of one row of coefficients; index [0] is the restored part, [1] the additive part. Kernels may write
 * element -1 of each row, and FV_ADM_BEHIND elements after the last one.
 */
#define FV_ADM_BEHIND 32

typedef struct FvAdmLine {
    /* Magnitude of each band, weighted; at scale 0 of vector kernels: 16-bit and not yet weighted. */
    int32_t *weighted[2][3];
    int32_t *around[2]; /* masking threshold that each column's coefficients add to their neighbours */
    int32_t *centre[2]; /* masking threshold at the coefficients' own positions, minus `around` */
} FvAdmLine;

typedef struct FvAdmScratch {
    int32_t *vertical[2]; /* the row after the vertical low-pass and high-pass filters, 16-bit at scale 0, with 2
                             elements in front. At other scales, vector kernels store the upper 16 bits of all
                             elements, then the lower ones */
    int32_t *low;         /* receives a row of the low-pass band that the caller does not store */
    int32_t *band[2][3];  /* a row of the bands of each frame; 16-bit at scale 0 */
    FvAdmLine line[3];    /* the last three lines; row y is in line[y % 3] */
} FvAdmScratch;

/* Returns the sum of a row divided by 2^bits, rounded. */
static inline int64_t fv_adm_row_rounded(int64_t sum, int bits)
{
    return (int64_t)((uint64_t)sum + ((uint64_t)1 << bits >> 1)) >> bits;
}

static inline size_t fv_adm_pitch(int elements)
{
    return FV_ROUND_UP((size_t)elements + 16 + FV_ADM_BEHIND, 16);
}

static inline size_t fv_adm_scratch_bytes(const FvAdmScale *scale)
{
    return (2 * fv_adm_pitch(scale->width) + 37 * fv_adm_pitch(scale->columns)) * sizeof(int32_t);
}

static inline FvAdmScratch fv_adm_scratch(const FvAdmScale *scale, void *memory)
{
    FvAdmScratch to;
    size_t wide = fv_adm_pitch(scale->width), narrow = fv_adm_pitch(scale->columns);
    int32_t *next = (int32_t *)memory + 16;
    for (int i = 0; i < 2; i++, next += wide)
        to.vertical[i] = next;
    to.low = next;
    for (int i = 0; i < 6; i++)
        to.band[i / 3][i % 3] = next += narrow;
    for (int i = 0; i < 3; i++) {
        FvAdmLine *line = &to.line[i];
        for (int side = 0; side < 2; side++) {
            for (int band = 0; band < 3; band++)
                line->weighted[side][band] = next += narrow;
            line->around[side] = next += narrow;
            line->centre[side] = next += narrow;
        }
    }
    return to;
}

/* Rows [from, to) that a call computes, and rows [top, bottom) that it scores. top > to: it scores none. */
typedef struct FvAdmReach {
    int from, to, top, bottom;
} FvAdmReach;

static inline FvAdmReach fv_adm_reach(const FvAdmScale *scale, int first, int count)
{
    int end = first + count;
    FvAdmReach reach = {first, end, first > scale->top ? first : scale->top,
                        end < scale->bottom ? end : scale->bottom};
    if (!scale->scored || reach.top >= reach.bottom)
        return (FvAdmReach){first, end, end + 2, end + 2};
    if (reach.top > 0 && reach.top - 1 < first)
        reach.from = reach.top - 1;
    if (reach.bottom < scale->rows && reach.bottom + 1 > end)
        reach.to = reach.bottom + 1;
    return reach;
}

/*
 * Returns the input index of the wavelet's tap k (0 to 3) for coefficient i. Indices before the first sample are
 * mirrored; those after the last one repeat it.
 */
static inline int fv_adm_place(int i, int k, int size)
{
    int at = 2 * i - 1 + k;
    return at < 0 ? -at : at >= size ? 2 * size - 1 - at : at;
}

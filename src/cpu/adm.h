/* Kernels of ADM on the CPU: wavelet, detail and masking of a band of rows of one scale. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

#define FV_ADM_SCALES 4

/* One scale of one run: sizes and constants. Bands are h, v, d; regions are half open, in coefficients of a band. */
typedef struct FvAdmScale {
    int scale;                    /* 0 to 3 */
    int depth;                    /* depth of the samples, which are the input of scale 0 */
    int width, height;            /* size of the input */
    int columns, rows;            /* size of a band */
    int left, right, top, bottom; /* the scored part */
    bool scored;                  /* false: only the low-pass band is wanted */
    bool impairment;              /* whether the numerator of the additive part is wanted */
    int limit;                    /* enhancement gain limit, a whole number; 0: gain_limit is not one */
    double gain_limit;
    uint32_t factor[3]; /* contrast sensitivity, fixed point */
    bool wraps;         /* the factors exceed arith/adm.h, or the gain limit has a fraction: plain C computes it */
    int threshold_bits[3], square_bits[3], cube_bits[3], row_bits; /* shifts of the numerators */
    int detail_square_bits, detail_cube_bits, detail_row_bits;     /* and of the denominator */
} FvAdmScale;

/* Shifts of the numerators that only scale and band decide. */
static inline __attribute__((always_inline)) int fv_adm_threshold_bits(int scale, int band)
{
    return scale ? 0 : band == 2 ? 12 : 10;
}

static inline __attribute__((always_inline)) int fv_adm_square_bits(int scale, int band)
{
    return scale || band == 2 ? 30 : 29;
}

/* Rows of samples (8 or 16 bits), or of the low-pass band of the scale before (16 bits of scale 0, then 32). */
typedef struct FvAdmPlane {
    void *data;
    ptrdiff_t stride; /* bytes */
} FvAdmPlane;

/* Sums over the scored part of some rows, each row rounded for itself. */
typedef struct FvAdmSums {
    int64_t detail[3], restored[3], additive[3];
} FvAdmSums;

typedef struct FvAdmKernels {
    /*
     * Rows [first, first + count) of the bands: writes the low-pass band of the reference and the distorted picture
     * (low[0] and low[1]) and, where `scored`, the sums. Input rows are read, and those of the bands written, up to
     * a multiple of 64 bytes.
     */
    void (*rows)(const FvAdmScale *scale, const FvAdmPlane input[2], const FvAdmPlane low[2], int first, int count,
                 void *scratch, FvAdmSums *sums);
} FvAdmKernels;

FV_FAMILY(FvAdmKernels, fv_adm_kernels)

/*
 * Working memory. A line holds what a row of coefficients gives; [0] restored, [1] additive. Element -1 of each row
 * may be written, and FV_ADM_BEHIND elements behind the last one.
 */
#define FV_ADM_BEHIND 32

typedef struct FvAdmLine {
    int32_t *weighted[2][3]; /* weighted magnitude of each band; vector kernels at scale 0: words, not weighted */
    int32_t *around[2];      /* what the bands add to the threshold of their neighbours */
    int32_t *centre[2];      /* and more than that at their own place */
} FvAdmLine;

typedef struct FvAdmScratch {
    int32_t *vertical[2]; /* a row after the vertical filters, low and high: 16 bits at scale 0; 2 elements before.
                             Vector kernels keep words: at the other scales upper ones, and lower ones behind them */
    int32_t *low;         /* a row of the low-pass band, for rows that are not kept */
    int32_t *band[2][3];  /* a row of the bands of each picture: 16 bits at scale 0 */
    FvAdmLine line[3];    /* lines; that of row y is line[y % 3] */
} FvAdmScratch;

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

/* Which rows a call computes, [from, to), and which of them it scores, [top, bottom); top > to: none. */
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

/* Where the wavelet's tap k (0 to 3) for coefficient i finds its input: mirrored at the start, repeated at the end.
 */
static inline int fv_adm_place(int i, int k, int size)
{
    int at = 2 * i - 1 + k;
    return at < 0 ? -at : at >= size ? 2 * size - 1 - at : at;
}

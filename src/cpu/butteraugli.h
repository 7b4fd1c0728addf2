/* Kernels of Butteraugli on the CPU: they compute all of one tile of a pyramid level. */
#pragma once

#include "cpu/light.h"

#define FV_BUTTER_TILE_WIDTH 256 /* columns and rows of a tile */
#define FV_BUTTER_TILE_HEIGHT 512
#define FV_BUTTER_HALO 37 /* distance in samples that influences the result at a sample */
#define FV_BUTTER_GROUP 8 /* rows per group, which are summed in binary32; the sums of groups become integers */
#define FV_BUTTER_LEAST 8 /* minimum side of a level in samples; smaller frames are extended */
#define FV_BUTTER_DIGITS 9

/* The blurs that are cut off at the edges of the frame, where the remaining taps are scaled up to the full weight. */
typedef enum FvButterBlur {
    FV_BUTTER_LOW,
    FV_BUTTER_MIDDLE,
    FV_BUTTER_HIGH,
    FV_BUTTER_MASK,
    FV_BUTTER_BLURS
} FvButterBlur;

/*
 * Exact sums of the third, sixth, twelfth and fifth powers of the distances, and the maximum distance. digit[j]
 * counts units of 2^(30j - 120).
 */
typedef struct FvButterSums {
    uint64_t digit[4][FV_BUTTER_DIGITS];
    float most;
} FvButterSums;

/*
 * A tile of a level. Level 0 is the frame, extended where a side is below FV_BUTTER_LEAST. Level 1 is half that size
 * and exists only for frames that are not extended.
 */
typedef struct FvButterTile {
    const FvLight *light;
    float intensity; /* cd/m2 of linear 1 */
    int level, width, height;
    /* Number of columns and rows by which the frame is extended at the left and at the top. */
    int left, above;
    int x0, y0, x1, y1;          /* columns [x0, x1), rows [y0, y1); x0 and y0 are multiples of the tile's size */
    const uint8_t *sample[2][3]; /* samples of the reference, of the distorted frame */
    ptrdiff_t sample_stride[2][3];
    /* Factor of each column and row of the level that restores the blurs' full weight at the edges. */
    const float *gain_x[FV_BUTTER_BLURS], *gain_y[FV_BUTTER_BLURS];
    /* Receives the level's distances for samples of the unextended frame; NULL: not wanted. */
    float *map;
    const float *half;                 /* distances of level 1, which level 0 adds; NULL: there is no level 1 */
    ptrdiff_t map_stride, half_stride; /* distances between rows in floats */
} FvButterTile;

/* Fills the map. At level 0 also adds to the sums. */
typedef void FvButterKernel(const FvButterTile *tile, FvButterSums *sums, void *scratch);

typedef struct FvButterKernels {
    FvButterKernel *tile8, *tile16; /* for samples of 8 bits, and of 16 bits */
    size_t scratch_bytes;
} FvButterKernels;

FV_FAMILY(FvButterKernels, fv_butter_kernels)

/*
 * Adds weight * s to a sum. bits_of_s: s as the bits of a float, 0 or in [2^-96, 2^124), as for each column of a
 * group.
 */
static inline void fv_butter_add(uint64_t digit[FV_BUTTER_DIGITS], uint32_t bits_of_s, uint32_t weight)
{
    if (bits_of_s == 0)
        return;
    int place = (int)(bits_of_s >> 23) - 30;
    uint64_t value = (uint64_t)((bits_of_s & 0x7fffff) | 0x800000) << place % 30;
    digit[place / 30] += (value & 0x3fffffff) * weight;
    digit[place / 30 + 1] += (value >> 30) * weight;
}

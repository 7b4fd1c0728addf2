/* Kernels of Butteraugli on the CPU: everything that happens to a tile of a level. */
#pragma once

#include "cpu/light.h"

#define FV_BUTTER_TILE_WIDTH 256 /* columns and rows of a tile */
#define FV_BUTTER_TILE_HEIGHT 512
#define FV_BUTTER_HALO 37 /* how far around a sample its distance looks */
#define FV_BUTTER_GROUP 8 /* rows that are added in binary32 before they become integers */
#define FV_BUTTER_LEAST 8 /* sides are extended to this */
#define FV_BUTTER_DIGITS 9

/* The blurs that end at the edges of the picture, where what is left of their taps is scaled to its full weight. */
typedef enum FvButterBlur {
    FV_BUTTER_LOW,
    FV_BUTTER_MIDDLE,
    FV_BUTTER_HIGH,
    FV_BUTTER_MASK,
    FV_BUTTER_BLURS
} FvButterBlur;

/*
 * Sums of the third, sixth, twelfth and fifth powers of the distance, exactly: digit[j] counts 2^(30j - 120). And the
 * greatest distance.
 */
typedef struct FvButterSums {
    uint64_t digit[4][FV_BUTTER_DIGITS];
    float most;
} FvButterSums;

/*
 * A tile of a level. Level 0 is the picture, extended where a side is below FV_BUTTER_LEAST; level 1 is its half,
 * which exists only for pictures that are not extended.
 */
typedef struct FvButterTile {
    const FvLight *light;
    float intensity; /* cd/m2 of linear 1 */
    int level, width, height;
    int left, above;             /* columns and rows that extend the picture before its first */
    int x0, y0, x1, y1;          /* x0 and y0 are multiples of the tile's size */
    const uint8_t *sample[2][3]; /* samples of the reference, of the distorted frame */
    ptrdiff_t sample_stride[2][3];
    const float *gain_x[FV_BUTTER_BLURS], *gain_y[FV_BUTTER_BLURS]; /* gain of each column and row of the level */
    float *map;                        /* the level's distances, of samples of the picture alone; NULL: nowhere */
    const float *half;                 /* the half level's distances, which count at level 0; NULL: there are none */
    ptrdiff_t map_stride, half_stride; /* floats */
} FvButterTile;

/* Fills the map, and at level 0 adds to the sums. */
typedef void FvButterKernel(const FvButterTile *tile, FvButterSums *sums, void *scratch);

typedef struct FvButterKernels {
    FvButterKernel *tile8, *tile16; /* from bytes and from words */
    size_t scratch_bytes;
} FvButterKernels;

FV_FAMILY(FvButterKernels, fv_butter_kernels)

/* Adds `weight` times s to a sum: 0 or in [2^-96, 2^124), as a group's column is. */
static inline void fv_butter_add(uint64_t digit[FV_BUTTER_DIGITS], uint32_t bits_of_s, uint32_t weight)
{
    if (bits_of_s == 0)
        return;
    int place = (int)(bits_of_s >> 23) - 30;
    uint64_t value = (uint64_t)((bits_of_s & 0x7fffff) | 0x800000) << place % 30;
    digit[place / 30] += (value & 0x3fffffff) * weight;
    digit[place / 30 + 1] += (value >> 30) * weight;
}

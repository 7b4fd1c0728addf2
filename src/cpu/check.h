/* Kernels of what is measured of one video. Strides are in bytes, `bytes` is that of a sample. */
#pragma once

#include "base/isa.h"

/* Rows that one call of a kernel of blocks takes, and columns of a block. */
#define FV_CHECK_BLOCK 16

/* Cells that a picture is divided into. */
enum { FV_CHECK_COLUMNS = 16, FV_CHECK_ROWS = 9, FV_CHECK_CELLS = FV_CHECK_COLUMNS * FV_CHECK_ROWS };

/* Bins of numbers up to 30 bits: each number below 64, then 64 for an octave. */
enum { FV_CHECK_BINS = 1600 };

/* How samples become light, and what counts as legal; the members up to bu are arith/check.h's. */
typedef struct FvCheckLight {
    int32_t low, middle, ay, rv, gu, gv, bu;
    int across, down; /* chroma is subsampled: 1 */
    bool gray;
    const uint32_t *table; /* light of a component; HLG: scene light, 2^24 for its peak */
    const uint32_t *gain;  /* HLG: display light of scene luminance, unit 2^-16 cd/m2; else NULL */
    uint32_t weight[3];    /* weights of the components in luminance */
    /* Legal are codes of luma from least to most, and components from bottom to top. */
    int32_t least, most, bottom, top;
} FvCheckLight;

/* Sums of numbers and of their squares, which can exceed 64 bits: low + 2^32 high, however it is divided. */
typedef struct FvCheckSums {
    int64_t sum;
    uint64_t low, high;
} FvCheckSums;

typedef struct FvCheckLevels {
    uint64_t few;  /* number of samples not above the lower limit */
    uint64_t many; /* number of samples not below the upper limit */
    int least, most;
} FvCheckLevels;

typedef struct FvCheckPeaks {
    uint64_t sum; /* sum of the greatest components of all pixels */
    uint64_t outside[2], lit;
    uint32_t most;
    uint32_t bin[FV_CHECK_BINS];
} FvCheckPeaks;

typedef struct FvCheckScan {
    uint64_t moving, own, top, bottom;
} FvCheckScan;

typedef struct FvCheckKernels {
    /*
     * Spatial and temporal differences of rows [first, first + rows) of luma through a table of `codes` entries.
     * before may be NULL. scratch: fv_check_siti_scratch bytes.
     */
    void (*siti)(const int32_t *table, const FvFrame *now, const FvFrame *before, int first, int rows,
                 FvCheckSums *si, FvCheckSums *ti, void *scratch);
    /* Sums of absolute differences of `rows` rows, 16 at most, for each 16 columns; returns the samples that differ.
     */
    uint64_t (*differences)(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before, ptrdiff_t before_stride,
                            int width, int rows, int bytes, uint32_t *block);
    /* Adds the levels of a plane to *levels. row and column: sums of samples, column added to; NULL: not wanted. */
    void (*levels)(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, int few, int many,
                   FvCheckLevels *levels, uint64_t *row, uint32_t *column);
    /* The sum of the samples of rows between each of the columns edge[i] and edge[i + 1], added. */
    void (*cells)(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, const int *edge,
                  uint64_t *cell);
    /* Pixels of rows [first, first + rows) outside what is legal. */
    uint64_t (*illegal)(const FvCheckLight *light, const FvFrame *frame, int first, int rows);
    /* Display light of a row: red, green and blue, each as many as the width, rounded up to vectors. */
    void (*linear)(const FvCheckLight *light, const FvFrame *frame, int y, uint32_t *red, uint32_t *green,
                   uint32_t *blue);
    /* Luminance and saturated red of such a row, added to the sums of its cells. */
    void (*flash)(const FvCheckLight *light, const uint32_t *red, const uint32_t *green, const uint32_t *blue,
                  const int *edge, uint64_t *luminance, uint64_t *saturated);
    /* The greatest component of such a row; gamut: whether colours outside BT.709 and P3 count. */
    void (*peaks)(const uint32_t *red, const uint32_t *green, const uint32_t *blue, int width, bool gamut,
                  FvCheckPeaks *peaks);
    /*
     * Rows [first, first + rows), 16 at most, of luma: how both fields of two frames fit, added to *scan, and combed
     * pixels of each 16 columns. before may be NULL.
     */
    void (*scan)(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan, uint32_t *block);
    /* Steps from column to column by column mod 8, and from row to row by row mod 8; rows [first, first + rows). */
    void (*steps)(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8]);
    /*
     * The absolute response of Immerkaer's operator around rows [first, first + rows), 16 at most: the sum of all,
     * and of each 16 columns from column 1 on.
     */
    uint64_t (*noise)(const FvFrame *frame, int first, int rows, uint32_t *block);
} FvCheckKernels;

FV_FAMILY(FvCheckKernels, fv_check_kernels)

/* Bytes of scratch memory for rows of this width. */
size_t fv_check_siti_scratch(int width);

/* The bin of a number below 2^30. */
static inline int fv_check_bin(uint32_t m)
{
    const int e = m < 64 ? 6 : 31 - __builtin_clz(m);
    return 64 * (e - 6) + (int)(m >> (e - 6));
}

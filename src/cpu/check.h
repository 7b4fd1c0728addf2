/* Kernels of the measures that need only one video. Strides are in bytes; `bytes` is the size of a sample. */
#pragma once

#include "arith/check_layout.h"
#include "base/isa.h"

/* How samples become light, and which samples are legal. arith/check.h describes the members up to bu. */
typedef struct FvCheckLight {
    int32_t low, middle, ay, rv, gu, gv, bu;
    int across, down; /* 1 if chroma has half of luma's columns, or rows; else 0 */
    bool gray;
    const uint32_t *table; /* light of each component value; HLG: scene light, where 2^24 is its peak */
    const uint32_t *gain;  /* HLG: display light of each scene luminance, in 2^-16 cd/m2; else NULL */
    uint32_t weight[3];    /* weights of R, G and B in the luminance */
    /* Legal ranges: luma codes [least, most], and components of R'G'B' [bottom, top]. */
    int32_t least, most, bottom, top;
} FvCheckLight;

/*
 * Sums of numbers and of their squares. The sum of squares may exceed 64 bits: it is low + 2^32 high, for any split
 * between the two.
 */
typedef struct FvCheckSums {
    int64_t sum;
    uint64_t low, high;
} FvCheckSums;

typedef struct FvCheckLevels {
    uint64_t few;    /* number of samples not above the lower limit */
    uint64_t many;   /* number of samples not below the upper limit */
    int least, most; /* minimum and maximum sample */
} FvCheckLevels;

typedef struct FvCheckPeaks {
    uint64_t sum; /* sum over all pixels of their greatest component */
    /*
     * Number of pixels whose greatest component is at least 1 cd/m2: outside BT.709, outside P3, and in total (lit).
     */
    uint64_t outside[2], lit;
    uint32_t most;               /* maximum component of all pixels */
    uint32_t bin[FV_CHECK_BINS]; /* number of pixels by their greatest component */
} FvCheckPeaks;

/*
 * Number of moving pixels, and sums of their absolute second differences down a column. own: all rows are from the
 * frame; top: its top field is woven with the previous frame's bottom field; bottom: its bottom field is woven with
 * the previous frame's top field.
 */
typedef struct FvCheckScan {
    uint64_t moving, own, top, bottom;
} FvCheckScan;

typedef struct FvCheckKernels {
    /*
     * Adds the squared spatial and temporal differences of luma rows [first, first + rows), converted by a table with
     * an entry for each code. before: the previous frame, or NULL. scratch: fv_check_siti_scratch() bytes.
     */
    void (*siti)(const int32_t *table, const FvFrame *now, const FvFrame *before, int first, int rows,
                 FvCheckSums *si, FvCheckSums *ti, void *scratch);
    /*
     * Sums the absolute differences of `rows` rows, at most 16, and writes one sum per 16 columns to `block`. Returns
     * how many samples differ.
     */
    uint64_t (*differences)(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before, ptrdiff_t before_stride,
                            int width, int rows, int bytes, uint32_t *block);
    /*
     * Adds the levels of a plane to *levels. row: receives the sum of each row. The sum of each column is added to
     * `column`. Either may be NULL.
     */
    void (*levels)(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, int few, int many,
                   FvCheckLevels *levels, uint64_t *row, uint32_t *column);
    /* Adds to each cell[i] the samples of the rows in columns [edge[i], edge[i + 1]). */
    void (*cells)(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, const int *edge,
                  uint64_t *cell);
    /* Returns the number of illegal pixels in rows [first, first + rows). */
    uint64_t (*illegal)(const FvCheckLight *light, const FvFrame *frame, int first, int rows);
    /*
     * Writes the places of row y in the table of light: of red, green and blue, each `width` numbers rounded up to
     * whole vectors.
     */
    void (*places)(const FvCheckLight *light, const FvFrame *frame, int y, uint16_t *const place[3]);
    /*
     * Measures luma rows [first, first + rows), at most 16: adds to *scan how well the fields of two frames fit
     * together, and writes the number of combed pixels of each 16 columns to `block`. before: the previous frame, or
     * NULL.
     */
    void (*scan)(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan, uint32_t *block);
    /*
     * Adds the absolute differences of neighbouring columns to across[column mod 8], and those of neighbouring rows
     * to down[row mod 8], for rows [first, first + rows).
     */
    void (*steps)(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8]);
    /*
     * Returns the sum of the absolute responses of Immerkaer's noise operator in rows [first, first + rows), at most
     * 16, and writes the sums of each 16 columns, from column 1 on, to `block`.
     */
    uint64_t (*noise)(const FvFrame *frame, int first, int rows, uint32_t *block);
} FvCheckKernels;

FV_FAMILY(FvCheckKernels, fv_check_kernels)

/* Returns the bytes of scratch memory that `siti` needs for rows of `width` samples. */
size_t fv_check_siti_scratch(int width);

/* Converts `count` samples by a table. This is plain C, because gathering instructions are not faster. */
void fv_check_look_up(const int32_t *table, const uint8_t *row, int bytes, int count, int32_t *value);

/* The sums of red, green and blue of pixels in display light, and of their saturated red. */
typedef struct FvCheckCell {
    uint64_t light[3], red;
} FvCheckCell;

/* Adds `count` pixels of a row, from column x on. */
void fv_check_add_light(const FvCheckLight *light, uint16_t *const place[3], int x, int count, FvCheckCell *cell);

/* Returns the sum of the luminance of `count` pixels of a row, from column x on. */
uint64_t fv_check_luminance(const FvCheckLight *light, uint16_t *const place[3], int x, int count);

/* Adds the greatest component of each pixel of a row to *peaks. gamut: also count colours outside BT.709 and P3. */
void fv_check_peaks(const FvCheckLight *light, uint16_t *const place[3], int width, bool gamut, FvCheckPeaks *peaks);

/* Returns the index in FvCheckPeaks.bin of a component below 2^30. */
static inline int fv_check_bin(uint32_t m)
{
    const uint32_t octave = m < 64 ? 6 : 31 - (uint32_t)__builtin_clz(m);
    return (int)FV_CHECK_BIN(m, octave);
}

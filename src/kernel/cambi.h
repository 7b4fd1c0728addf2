/* The common definitions of the CAMBI kernels and the host. */
#ifndef FV_KERNEL_CAMBI_H
#define FV_KERNEL_CAMBI_H

#define FV_CAMBI_CELL 32         /* columns of a note of values, and of a list of runs */
#define FV_CAMBI_TILE 32         /* rows of a cell whose values are noted together */
#define FV_CAMBI_VALUES 36       /* words of such a note: a bit for each value */
#define FV_CAMBI_GROUP_WIDTH 128 /* columns of a workgroup of the kernels of the pictures */
#define FV_CAMBI_MASK_HEIGHT 64  /* and rows */
#define FV_CAMBI_FILTER_HEIGHT 32
/*
 * A run of equal masked pixels in a quad of columns: the value, its columns of the quad as bits, the quad's number in
 * the cell; and how many runs the row of the cell has. That is the number of words, at least FV_CAMBI_RUNS_FIRST; no
 * run is 0.
 */
#define FV_CAMBI_RUN(value, columns, quad) ((value) | (columns) << 11 | (quad) << 15)
#define FV_CAMBI_RUN_COUNT 26
#define FV_CAMBI_RUNS_FIRST 16
#define FV_CAMBI_RUN_ROWS 16 /* rows of a workgroup that lists runs */

#define FV_CAMBI_WORDS 33 /* words of a set of values */

/* A workgroup of the contrast kernel: threads, most columns, most values that it counts. */
#define FV_CAMBI_THREADS 128
#define FV_CAMBI_STRIP_COLUMNS 192
#define FV_CAMBI_SLOTS 128
/*
 * Words for counters: for strips of which it counts all values at once, and for the others. All that a workgroup
 * shares stays within FV_GPU_MAX_SHARED.
 */
#define FV_CAMBI_FEW_COUNTERS 3840
#define FV_CAMBI_MANY_COUNTERS 7296
/* How many values' counts fit this many words: a byte for each column, and two bytes for sixteen columns. */
#define FV_CAMBI_ROOM(words, pitch) (8 * (words) / (9 * (pitch)))
#define FV_CAMBI_WALKERS 4 /* workgroups that share the walks of a strip */
#define FV_CAMBI_SETS                                                                                                \
    (2 * FV_CAMBI_WORDS + 1) /* words of a strip's sets: wanted values, counted values, their number */

/* The tables, in words: visible contrasts of each value; the same as bits of values for each contrast; weights. */
#define FV_CAMBI_VISIBLE 0
#define FV_CAMBI_VISIBLE_BITS 1088
#define FV_CAMBI_WEIGHTS (FV_CAMBI_VISIBLE_BITS + 32 * FV_CAMBI_VALUES)
#define FV_CAMBI_RECIPROCALS (FV_CAMBI_WEIGHTS + 32)

/* Selection: digits of (bits of c) - (bits of 0.5), and where each round's histogram lies, in words. */
#define FV_CAMBI_HALF 0x3f000000u
#define FV_CAMBI_SHIFT0 15
#define FV_CAMBI_DIGITS0 4640
#define FV_CAMBI_SHIFT1 7
#define FV_CAMBI_DIGITS1 256
#define FV_CAMBI_DIGITS2 128
#define FV_CAMBI_HISTOGRAM1 FV_CAMBI_DIGITS0
#define FV_CAMBI_HISTOGRAM2 (FV_CAMBI_HISTOGRAM1 + FV_CAMBI_DIGITS1)
#define FV_CAMBI_HISTOGRAMS (FV_CAMBI_HISTOGRAM2 + FV_CAMBI_DIGITS2)
#define FV_CAMBI_SELECT_ROWS 16 /* rows of one workgroup */

/* Words of a workgroup's part, and that come back for each level. A sum is of c times 2^24, in pieces of 16 bits.
 */
#define FV_CAMBI_PIECES 4
#define FV_CAMBI_SUMMED 5 /* the sum, with the number of nonzero values */
#define FV_CAMBI_NONZERO 4
#define FV_CAMBI_INVALID 5 /* some sample exceeds the depth's maximum */
#define FV_CAMBI_KTH 6     /* the k-th greatest of more than k values, without the bits of 0.5 */
#define FV_CAMBI_RANK 7    /* how many values equal to it are pooled; 0: all values are summed */
#define FV_CAMBI_RESULT 8

/* One scale, for the kernels that take all scales at once. Offsets in bytes from the pair's memory. */
FV_STRUCT(FvCambiLevel)
{
    fv_u32 image, runs, values, sets, c, sums, histograms;
    fv_i32 width, height, stride; /* stride of image and c, in elements */
    fv_i32 cells;                 /* per row */
    fv_i32 tiles;                 /* rows of cells whose values are noted together */
    fv_i32 strip, strips,
        rows;     /* in the contrast kernel, columns of a workgroup, number of strips, and rows of a workgroup */
    fv_i32 pitch; /* pitch of its counters: quads of columns in reach, a multiple of 4 */
    fv_i32 groups, first_group; /* workgroups of the contrast kernel, and the first of them */
    fv_u32 pooled;
};
FV_POINTER(FvCambiLevel, FvCambiLevel_p);

FV_STRUCT(FvCambiArgs)
{
    FvPair_p pairs;
    fv_u32_p tables;
    FvCambiLevel_p levels; /* levels of this frame */
    fv_u32_p work;
    fv_u32_p results; /* [level][FV_CAMBI_RESULT] */
    fv_u32 work_stride, result_stride;
    fv_u32 positions;  /* in the tables: source column of each column, source row of each row; 0: not resampled */
    fv_u32 unfiltered; /* offset of the picture of processing size with flags; only of half size is it kept */
    fv_u32 checks;     /* offset of a word for each workgroup that checks samples */
    fv_i32 check_groups;
    fv_i32 reference; /* 1: the picture is the reference */
    fv_i32 source_width, source_height, depth;
    fv_i32 width, height, stride; /* size and stride at which frames are processed */
    fv_i32 undither, half_size;
    fv_i32 mask_threshold, low, high, contrasts, radius;
    fv_i32 level; /* the one to filter */
};

#endif

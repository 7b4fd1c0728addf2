/* Definitions that the CAMBI kernels share with the host. */
#ifndef FV_KERNEL_CAMBI_H
#define FV_KERNEL_CAMBI_H

#define FV_CAMBI_CELL 32         /* columns of a cell, for which values and runs are recorded */
#define FV_CAMBI_TILE 32         /* rows of a cell's set of values */
#define FV_CAMBI_VALUES 36       /* words from one stored set of values to the next */
#define FV_CAMBI_GROUP_WIDTH 128 /* columns of a workgroup of the kernels that compute scales */
#define FV_CAMBI_MASK_HEIGHT 64  /* rows of a workgroup of the mask kernel */
#define FV_CAMBI_FILTER_HEIGHT 32
/*
 * A run of equal masked pixels in a quad (four columns): the value, its columns in the quad as bits, and the quad's
 * number in the cell. 0: no run. The first run of a list also holds, from bit FV_CAMBI_RUN_COUNT on, the number of
 * runs in the cell's row. A list has one word per run, but at least FV_CAMBI_RUNS_FIRST words.
 */
#define FV_CAMBI_RUN(value, columns, quad) ((value) | (columns) << 11 | (quad) << 15)
#define FV_CAMBI_RUN_COUNT 26
#define FV_CAMBI_RUNS_FIRST 16
#define FV_CAMBI_RUN_ROWS 16 /* rows of a workgroup that lists runs */

#define FV_CAMBI_WORDS 33 /* words of a set of values: a bit for each value */

/* A workgroup of the contrast kernel: its number of threads, and its maximum number of columns. */
#define FV_CAMBI_THREADS 128
#define FV_CAMBI_STRIP_COLUMNS 192
#define FV_CAMBI_SLOTS 128 /* maximum number of values that a workgroup counts in a pass */
/*
 * Words for counters: for strips whose values are all counted at once, and for other strips. All shared memory of a
 * workgroup stays within FV_GPU_MAX_SHARED.
 */
#define FV_CAMBI_FEW_COUNTERS 3840
#define FV_CAMBI_MANY_COUNTERS 7296
/* Number of values whose counters fit into `words`: a byte per column, and two bytes per sixteen columns. */
#define FV_CAMBI_ROOM(words, pitch) (8 * (words) / (9 * (pitch)))
#define FV_CAMBI_WALKERS 4 /* workgroups that share the passes over a strip */
/* Words of a strip's sets: wanted values, counted values, number of counted values. */
#define FV_CAMBI_SETS (2 * FV_CAMBI_WORDS + 1)

/*
 * Offsets in the tables, in words: the visible contrasts of each value; for each contrast, the set of values at which
 * it is visible; weights.
 */
#define FV_CAMBI_VISIBLE 0
#define FV_CAMBI_VISIBLE_BITS 1088
#define FV_CAMBI_WEIGHTS (FV_CAMBI_VISIBLE_BITS + 32 * FV_CAMBI_VALUES)
#define FV_CAMBI_RECIPROCALS (FV_CAMBI_WEIGHTS + 32)

/* Selection: digits of (bits of c) - (bits of 0.5), and the offset of each round's histogram in words. */
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

/*
 * Words of a workgroup's result, and of a level's result on the host. The sum of the c-values is multiplied by 2^24
 * and split into pieces of 16 bits.
 */
#define FV_CAMBI_PIECES 4
#define FV_CAMBI_SUMMED 5 /* the pieces of the sum, and the number of nonzero values */
#define FV_CAMBI_NONZERO 4
#define FV_CAMBI_INVALID 5 /* nonzero: a sample exceeds the maximum of the depth */
#define FV_CAMBI_KTH 6     /* the k-th greatest c-value, less the bits of 0.5, if more than k are nonzero */
#define FV_CAMBI_RANK 7    /* number of c-values to pool that equal the k-th greatest; 0: all values are summed */
#define FV_CAMBI_RESULT 8

/* One scale, for the kernels that process all scales at once. Offsets are in bytes from the pair's memory. */
FV_STRUCT(FvCambiLevel)
{
    fv_u32 image, runs, values, sets, c, sums, histograms; /* offsets of the planes and results */
    fv_i32 width, height, stride;                          /* stride of `image` and `c`, in elements */
    fv_i32 cells;                                          /* number of cells per row */
    fv_i32 tiles;                                          /* number of rows of cells, each with a set of values */
    fv_i32 strip, strips,
        rows; /* in the contrast kernel: columns of a workgroup, number of strips, and rows of a workgroup */
    /* Distance between counters of consecutive values: number of quads in the windows, a multiple of 4. */
    fv_i32 pitch;
    fv_i32 groups, first_group; /* number of workgroups of the contrast kernel, and the number of the first one */
    fv_u32 pooled;
};
FV_POINTER(FvCambiLevel, FvCambiLevel_p);

FV_STRUCT(FvCambiArgs)
{
    FvPair_p pairs;
    fv_u32_p tables;
    FvCambiLevel_p levels; /* levels of this video's frame */
    fv_u32_p work;
    fv_u32_p results; /* [level][FV_CAMBI_RESULT] */
    fv_u32 work_stride, result_stride;
    /* Offset in the tables: source column of each column, then source row of each row; 0: no resizing. */
    fv_u32 positions;
    fv_u32 unfiltered; /* offset of the flagged frame at processing size, which is stored only for half_size */
    fv_u32 checks;     /* offset of a word for each workgroup that checks samples */
    fv_i32 check_groups;
    fv_i32 reference; /* 1: the frame is the reference's */
    fv_i32 source_width, source_height, depth;
    fv_i32 width, height, stride; /* size and stride at which frames are processed */
    fv_i32 undither, half_size;
    fv_i32 mask_threshold, low, high, contrasts, radius;
    fv_i32 level; /* number of the level to filter */
};

#endif

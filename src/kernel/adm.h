/* Arguments of the ADM kernels, and how they divide the bands of a scale. */
#ifndef FV_KERNEL_ADM_H
#define FV_KERNEL_ADM_H

/* Width in coefficients of the tile of a workgroup: at scale 0, and at the coarser scales. */
#define FV_ADM_FIRST_WIDTH 62
#define FV_ADM_COARSE_WIDTH 56
#define FV_ADM_TILE_HEIGHT 14

/* Number of sums per row: detail, restored and additive, each of the bands h, v, d. */
#define FV_ADM_ROW_SUMS 9

/* Number of workgroups that share the rows of a sum; the host adds their totals. */
#define FV_ADM_PARTS 8

/* Index of the low word of a sum; the high word is `rows` words later. */
#define FV_ADM_SUM_PLACE(tile, sum, rows, row)                                                                       \
    (2u * (fv_u32(tile) * FV_ADM_ROW_SUMS + fv_u32(sum)) * fv_u32(rows) + fv_u32(row))

/*
 * One scale: the members of FvAdmScale, and the offsets of the scale's parts in a pair's working memory, in words of
 * 32 bits.
 */
FV_STRUCT(FvAdmStage)
{
    fv_i32 width, height;            /* size of the input in samples or coefficients */
    fv_i32 columns, rows;            /* size of a band in coefficients */
    fv_i32 left, right, top, bottom; /* the scored region; right = 0: none */
    /* Scale 0: the middle of the samples' range, 2^(depth - 1). */
    fv_i32 level;
    fv_i32 down_bits, across_bits; /* shifts of the wavelet */
    fv_i32 limit;                  /* maximum enhancement gain; 0: the limit has a fraction and is in real_limit */
    fv_u32 factor[3];
    fv_i32 threshold_bits[3], square_bits[3], cube_bits[3], row_bits;
    fv_i32 detail_square_bits, detail_cube_bits, detail_row_bits;
    fv_i32 tiles; /* workgroups side by side */
    /* Distance between rows of the low-pass bands: of this scale, and of the previous scale; multiples of 4. */
    fv_i32 pitch, input_pitch;
    fv_u32 low[2];        /* low-pass band of each frame, 32 bits per coefficient; 16-byte aligned */
    fv_u32 from[2];       /* low-pass bands of the previous scale */
    fv_u32 real_limit[2]; /* words of the gain limit as a 64-bit float */
    fv_u32 sums;          /* [tile][FV_ADM_ROW_SUMS][low words, high words][row] */
};

FV_POINTER(FvAdmStage, FvAdmStage_p);

FV_STRUCT(FvAdmArgs)
{
    FvPair_p pairs;
    FvAdmStage_p stages; /* [scale] */
    fv_u32_p work;
    fv_u32_p results;                  /* [scale][FV_ADM_ROW_SUMS][FV_ADM_PARTS] of two words: low, high */
    fv_u32 work_stride, result_stride; /* distance between pairs, in units of 256 bytes */
    fv_i32 scale;
};

#endif

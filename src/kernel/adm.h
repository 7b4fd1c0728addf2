/* Arguments of the ADM kernels, and how they divide the bands of a scale. */
#ifndef FV_KERNEL_ADM_H
#define FV_KERNEL_ADM_H

/* Coefficients of one workgroup: of scale 0, and of the coarser ones. */
#define FV_ADM_FIRST_WIDTH 62
#define FV_ADM_COARSE_WIDTH 56
#define FV_ADM_TILE_HEIGHT 14

/* Sums of a row: detail, restored, additive of bands h, v, d. */
#define FV_ADM_ROW_SUMS 9

/* Where the low word of a sum lies; the high one is `rows` words behind it. */
#define FV_ADM_SUM_PLACE(tile, sum, rows, row)                                                                       \
    (2u * (fv_u32(tile) * FV_ADM_ROW_SUMS + fv_u32(sum)) * fv_u32(rows) + fv_u32(row))

/*
 * The members of FvAdmScale, and the offsets of the scale's parts in the working memory of a pair, in words of 32
 * bits.
 */
FV_STRUCT(FvAdmStage)
{
    fv_i32 width, height;            /* size of the input */
    fv_i32 columns, rows;            /* size of a band */
    fv_i32 left, right, top, bottom; /* the scored part; right = 0: none */
    fv_i32 level;                    /* scale 0: the middle of the samples' range; its bits are 2 * level */
    fv_i32 down_bits, across_bits;   /* shifts of the wavelet */
    fv_i32 limit;                    /* limit of the enhancement gain; 0: it has a fraction */
    fv_u32 factor[3];
    fv_i32 threshold_bits[3], square_bits[3], cube_bits[3], row_bits;
    fv_i32 detail_square_bits, detail_cube_bits, detail_row_bits;
    fv_i32 tiles;              /* workgroups side by side */
    fv_i32 pitch, input_pitch; /* pitch of the low-pass bands of this and of the previous scale, multiples of 4 */
    fv_u32 low[2];             /* low-pass band of each picture, 32 bits each; on 16 bytes */
    fv_u32 from[2];            /* those of the scale before */
    fv_u32 real_limit[2];      /* words of the limit as a float of 64 bits */
    fv_u32 sums;               /* [tile][FV_ADM_ROW_SUMS][low words, high words][row] */
};

FV_POINTER(FvAdmStage, FvAdmStage_p);

FV_STRUCT(FvAdmArgs)
{
    FvPair_p pairs;
    FvAdmStage_p stages; /* [scale] */
    fv_u32_p work;
    fv_u32_p results;                  /* [scale][FV_ADM_ROW_SUMS] of two words: low, high */
    fv_u32 work_stride, result_stride; /* from pair to pair, in units of 256 bytes */
    fv_i32 scale;
};

#endif

/* Arguments of the PSNR-HVS kernels, and the division of a frame pair into groups of blocks. */
#ifndef FV_KERNEL_PSNR_HVS_H
#define FV_KERNEL_PSNR_HVS_H

/* Blocks per workgroup, in the order in which their terms are added. */
#define FV_HVS_GROUP 128

/*
 * The effect of consecutive terms on a sum, as a function of the sum: gains in units of the last place, for even and
 * odd sums in one binade, then for even and odd sums in the next higher binade. FV_HVS_OUT: the sum leaves the
 * binade, or may leave it. FV_HVS_NOTHING in the first word: all terms are zero.
 */
#define FV_HVS_GAINS 4
#define FV_HVS_OUT 0x1000000u
#define FV_HVS_NOTHING 0xffffffffu
/* Words per group: its gains, and the exponent of the lower binade. */
#define FV_HVS_GROUP_WORDS 5

/* Groups are numbered through all planes. The sections of the working memory are indexed by group. */
FV_STRUCT(FvHvsArgs)
{
    FvPair_p pairs;
    fv_f32_p terms;                    /* [group][coefficient][block] */
    fv_f32_p block_sums;               /* [group][block], added in any order: precise enough for guessing binades */
    fv_f32_p group_sums;               /* [group] */
    fv_u32_p block_gains;              /* [group][word][block] */
    fv_u32_p group_gains;              /* [word][group] */
    fv_f32_p sums;                     /* [plane], the exact result */
    fv_u32 work_stride, result_stride; /* distance between pairs, in units of 256 bytes */
    fv_i32 columns[3];                 /* columns of blocks in each plane */
    fv_i32 blocks[3];
    fv_i32 first[4]; /* first group of each plane, then the number of all groups */
};

#endif

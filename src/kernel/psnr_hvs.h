/* Arguments of the PSNR-HVS kernels, and how they divide a frame pair. */
#ifndef FV_KERNEL_PSNR_HVS_H
#define FV_KERNEL_PSNR_HVS_H

/* Blocks of one workgroup, in the order in which their terms are added. */
#define FV_HVS_GROUP 128

/*
 * A run of terms as a function of the sum before it: gains in units of the last place, first for even and odd sums in
 * one binade, then for those in the binade above. FV_HVS_OUT: the sum leaves the binade, or may. FV_HVS_NOTHING in
 * the first word: all terms are zero.
 */
#define FV_HVS_GAINS 4
#define FV_HVS_OUT 0x1000000u
#define FV_HVS_NOTHING 0xffffffffu
/* Words of a group: its gains, and the exponent of their lower binade. */
#define FV_HVS_GROUP_WORDS 5

/* Groups are numbered through all planes; sections of the working memory are indexed by group. */
FV_STRUCT(FvHvsArgs)
{
    FvPair_p pairs;
    fv_f32_p terms;                    /* [group][coefficient][block] */
    fv_f32_p block_sums;               /* [group][block], added in any order: good enough to guess binades from */
    fv_f32_p group_sums;               /* [group] */
    fv_u32_p block_gains;              /* [group][word][block] */
    fv_u32_p group_gains;              /* [word][group] */
    fv_f32_p sums;                     /* [plane], the exact result */
    fv_u32 work_stride, result_stride; /* from pair to pair, in units of 256 bytes */
    fv_i32 columns[3];                 /* columns of blocks */
    fv_i32 blocks[3];
    fv_i32 first[4]; /* group of each plane; the number of all */
};

#endif

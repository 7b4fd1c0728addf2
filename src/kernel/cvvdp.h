/*
 * ColorVideoVDP on GPUs: arguments and constants of its kernels, sizes of their workgroups' areas. The planes of a
 * level have no gaps and follow each other: [2 * channel + side], where side 0 is the distorted frame and 1 the
 * reference.
 */
#ifndef FV_KERNEL_CVVDP_H
#define FV_KERNEL_CVVDP_H

#include "light.h"

#define FV_CVVDP_MOST_CHANNELS 4
#define FV_CVVDP_COLOURS 3 /* planes of a frame before the temporal filters */
#define FV_CVVDP_TAPS 61   /* maximum taps of a temporal filter, from its centre outwards */
#define FV_CVVDP_BLUR 6    /* radius in samples of the blur of masks */

/*
 * Temporal filters: the size in samples of a workgroup's area, and the number of frames that a thread computes
 * together.
 */
#define FV_CVVDP_TIME_WIDTH 32
#define FV_CVVDP_TIME_HEIGHT 8
#define FV_CVVDP_TOGETHER 4

/* Pyramids: the output samples of a workgroup, which has a thread for each input column. */
#define FV_CVVDP_REDUCE_WIDTH 62
#define FV_CVVDP_REDUCE_HEIGHT 8

/* Masks: the samples of a workgroup, whose threads compute columns of a group of rows. */
#define FV_CVVDP_MASK_WIDTH 32
#define FV_CVVDP_MASK_HEIGHT 32
#define FV_CVVDP_MASK_ROWS 8

#define FV_CVVDP_SUM_WORDS 4 /* words per sum: two limbs of 64 bits, lower word first */

FV_STRUCT(FvCvvdpConstants)
{
    fv_i32 hlg;
    fv_f32 gamma_1;
    fv_f32 exposure;
    fv_f32 span;
    fv_f32 base;
    fv_f32 matrix[3][3];
    fv_i32 reach; /* taps on each side of a temporal filter's centre */
    fv_f32 tap[FV_CVVDP_MOST_CHANNELS][FV_CVVDP_TAPS];
    fv_f32 blur[FV_CVVDP_BLUR + 1];
    fv_f32 gain;
    fv_f32 q[FV_CVVDP_MOST_CHANNELS];
    fv_f32 zero_q[FV_CVVDP_MOST_CHANNELS];
    fv_f32 cross[FV_CVVDP_MOST_CHANNELS][FV_CVVDP_MOST_CHANNELS];
    fv_f32 p;
    fv_f32 zero_p;
    fv_f32 ceiling;
};
FV_POINTER(FvCvvdpConstants, FvCvvdpConstants_p);

FV_STRUCT(FvCvvdpLightArgs)
{
    FvPair_p pairs;
    FvLightConstants_p light;
    fv_f32_p curve;
    FvCvvdpConstants_p constants;
    fv_f32_p to;      /* opponent planes of both frames: [2 * colour + side] */
    fv_u32 to_stride; /* distance between pairs, in units of 256 bytes */
    fv_i32 width;
    fv_i32 height;
};

/* Successive frames, at most FV_CVVDP_TOGETHER. */
FV_STRUCT(FvCvvdpTimeArgs)
{
    FvCvvdpConstants_p constants;
    fv_f32_p history; /* opponent planes of the last frames, in a ring of slots */
    fv_f32_p to;      /* level 0 of the batch's first pair */
    fv_u32 to_stride; /* distance between pairs, and between slots, in units of 256 bytes */
    fv_u32 slot_stride;
    fv_i32 slots;
    fv_i32 slot;  /* slot of the first frame */
    fv_i32 known; /* number of previous frames in the history; earlier ones count as equal to the first */
    fv_i32 count;
    fv_i32 place[FV_CVVDP_TOGETHER]; /* the pair in the batch of each frame; -1: its channels are not needed */
    fv_i32 width;
    fv_i32 height;
    fv_i32 across; /* workgroups side by side in a frame */
};

FV_STRUCT(FvCvvdpArgs)
{
    FvCvvdpConstants_p constants;
    fv_f32_p nodes;  /* nodes of the level, by channel: sensitivity at each node, and the increase to the next node */
    fv_f32_p fine;   /* planes of the level */
    fv_f32_p coarse; /* plane of the next coarser level */
    fv_u32_p sums;   /* sums of the level: [channel] x FV_CVVDP_SUM_WORDS, initially zero */
    fv_u32 fine_stride;
    fv_u32 coarse_stride;
    fv_u32 sums_stride;
    fv_i32 width; /* width of the level */
    fv_i32 height;
    fv_i32 channels;
    fv_i32 across; /* workgroups side by side in a plane */
};

#endif

/*
 * ColorVideoVDP on GPUs: arguments and constants of its kernels, areas of their workgroups. The planes of a level are
 * tight and follow each other: [2 * channel + picture], where picture 0 is the distorted one.
 */
#ifndef FV_KERNEL_CVVDP_H
#define FV_KERNEL_CVVDP_H

#include "light.h"

#define FV_CVVDP_MOST_CHANNELS 4
#define FV_CVVDP_COLOURS 3 /* planes of a picture before filters in time */
#define FV_CVVDP_TAPS 61   /* taps of a temporal filter, from its centre outwards */
#define FV_CVVDP_BLUR 6    /* samples that the blur of masks reaches */

/* Filters in time: the area of a workgroup, and the frames that a thread makes together. */
#define FV_CVVDP_TIME_WIDTH 32
#define FV_CVVDP_TIME_HEIGHT 8
#define FV_CVVDP_TOGETHER 4

/* Pyramids: the samples that a workgroup makes, with a thread for each column that they are made from. */
#define FV_CVVDP_REDUCE_WIDTH 62
#define FV_CVVDP_REDUCE_HEIGHT 8

/* Masks: the samples of a workgroup, whose threads make columns of a group of rows. */
#define FV_CVVDP_MASK_WIDTH 32
#define FV_CVVDP_MASK_HEIGHT 32
#define FV_CVVDP_MASK_ROWS 8

#define FV_CVVDP_SUM_WORDS 4 /* two limbs of 64 bits, lower word first */

FV_STRUCT(FvCvvdpConstants)
{
    fv_i32 hlg;
    fv_f32 gamma_1;
    fv_f32 exposure;
    fv_f32 span;
    fv_f32 base;
    fv_f32 matrix[3][3];
    fv_i32 reach; /* taps on each side of a filter in time */
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
    fv_f32_p to;      /* opponent colours of both pictures: [2 * colour + picture] */
    fv_u32 to_stride; /* from pair to pair, in units of 256 bytes */
    fv_i32 width;
    fv_i32 height;
};

/* Frames that follow each other, at most FV_CVVDP_TOGETHER. */
FV_STRUCT(FvCvvdpTimeArgs)
{
    FvCvvdpConstants_p constants;
    fv_f32_p history; /* opponent colours of frames, in a ring of slots */
    fv_f32_p to;      /* level 0 of the batch's first pair */
    fv_u32 to_stride; /* from pair to pair, in units of 256 bytes, and from slot to slot */
    fv_u32 slot_stride;
    fv_i32 slots;
    fv_i32 slot;  /* the first frame's */
    fv_i32 known; /* number of frames before it that are there; those before them are like the first */
    fv_i32 count;
    fv_i32 place[FV_CVVDP_TOGETHER]; /* each frame's pair in the batch; -1: its channels are not wanted */
    fv_i32 width;
    fv_i32 height;
    fv_i32 across; /* workgroups of one picture */
};

FV_STRUCT(FvCvvdpArgs)
{
    FvCvvdpConstants_p constants;
    fv_f32_p nodes;  /* nodes of the level: sensitivity at each node and its increase to the next, by channel */
    fv_f32_p fine;   /* planes of the level */
    fv_f32_p coarse; /* plane of the next level */
    fv_u32_p sums;   /* sums of the level: [channel] x FV_CVVDP_SUM_WORDS, initially zero */
    fv_u32 fine_stride;
    fv_u32 coarse_stride;
    fv_u32 sums_stride;
    fv_i32 width; /* width of the level */
    fv_i32 height;
    fv_i32 channels;
    fv_i32 across; /* workgroups of one plane */
};

#endif

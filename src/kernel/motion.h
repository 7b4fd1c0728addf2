/* Arguments of VMAF's motion kernel. */
#ifndef FV_KERNEL_MOTION_H
#define FV_KERNEL_MOTION_H

#define FV_MOTION_COLUMNS 124 /* columns of a workgroup's tile */
#define FV_MOTION_ROWS 32

FV_STRUCT(FvMotionArgs)
{
    FvPair_p pairs;
    fv_u32_p sums;      /* sums of each tile; one set per pair */
    fv_u32 sums_stride; /* distance between pairs, in units of 256 bytes */
    fv_i32 width;
    fv_i32 height;
    fv_i32 depth;
    fv_i32 behind; /* distance of the two frames: 1 or 2 */
};

#endif

/* The memory layout of a side that the kernels of SpEED share. */
#ifndef FV_KERNEL_SPEED_SIDE_H
#define FV_KERNEL_SPEED_SIDE_H

/*
 * A side is one plane of the reference (even) or of the distorted frame (odd); FV_GROUP_Y is the side. All threads of
 * a workgroup reach every barrier: what a thread has no part in, it masks.
 */
#define N 25    /* samples of a block, and rows of its matrices */
#define STEP 16 /* from one kept row or column to the next */
#define C FV_AT(args.constants, 0)
#define WORK(offset) (FV_GROUP_Z * args.work_stride * 64u + FV_GROUP_Y * fv_u32(C.side_step) + fv_u32(offset))
#define PLANE (FV_GROUP_Z * args.planes_stride * 64u + FV_GROUP_Y * fv_u32(C.columns * C.rows))

#endif

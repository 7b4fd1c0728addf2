/* The memory of a side, which the SpEED kernels share. */
#ifndef FV_KERNEL_SPEED_SIDE_H
#define FV_KERNEL_SPEED_SIDE_H

/*
 * A side is one plane of the reference (even) or of the distorted frame (odd); FV_GROUP_Y is its number. All threads
 * of a workgroup must reach every barrier, so threads without work in a step skip the step instead of returning.
 */
#define N 25    /* samples of a block, and order of its matrices */
#define STEP 16 /* distance between kept rows, and between kept columns */
#define C FV_AT(args.constants, 0)
#define WORK(offset) (FV_GROUP_Z * args.work_stride * 64u + FV_GROUP_Y * fv_u32(C.side_step) + fv_u32(offset))
#define PLANE (FV_GROUP_Z * args.planes_stride * 64u + FV_GROUP_Y * fv_u32(C.columns * C.rows))

#endif

/* Butteraugli: access to the planes of a level. */
#ifndef FV_KERNEL_BUTTERAUGLI_PLANES_H
#define FV_KERNEL_BUTTERAUGLI_PLANES_H

/* Index of the first sample of plane n. */
#define PLANE(n) (args.base + (n)*args.stride * args.height)
#define INSIDE(x, y) ((x) >= 0 && (x) < args.width && (y) >= 0 && (y) < args.height)

/* Returns a sample of the plane at index `plane`, or 0 outside the frame. */
FV_FN fv_f32 sample_of(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x, fv_i32 y)
{
    return INSIDE(x, y) ? FV_AT(work, plane + y * args.stride + x) : 0.0f;
}

#define GAIN_X(blur, x) FV_AT(args.gains, (blur) * (args.width + args.height) + (x))
#define GAIN_Y(blur, y) FV_AT(args.gains, (blur) * (args.width + args.height) + args.width + (y))

#endif

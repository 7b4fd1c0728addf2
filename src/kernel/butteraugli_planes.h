/* Butteraugli: planes of a level as kernels read and write them. */
#ifndef FV_KERNEL_BUTTERAUGLI_PLANES_H
#define FV_KERNEL_BUTTERAUGLI_PLANES_H

/* Where plane n begins. */
#define PLANE(n) (args.base + (n)*args.stride * args.height)
#define INSIDE(x, y) ((x) >= 0 && (x) < args.width && (y) >= 0 && (y) < args.height)

/* A sample of the plane that begins at `plane`, 0 outside the picture. */
FV_FN fv_f32 sample_of(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x, fv_i32 y)
{
    return INSIDE(x, y) ? FV_AT(work, plane + y * args.stride + x) : 0.0f;
}

#define GAIN_X(blur, x) FV_AT(args.gains, (blur) * (args.width + args.height) + (x))
#define GAIN_Y(blur, y) FV_AT(args.gains, (blur) * (args.width + args.height) + args.width + (y))

#endif

/*
 * Butteraugli: a plane with its surroundings in the memory of a workgroup, for kernels that define THREADS, AREA_X
 * and AREA_Y (samples), PITCH (of a row) and PLACE(i), where sample i of a row lies.
 */
#ifndef FV_KERNEL_BUTTERAUGLI_AREA_H
#define FV_KERNEL_BUTTERAUGLI_AREA_H

#define WARP 32
#define TURNS ((AREA_X + WARP - 1) / WARP) /* in which 32 threads read a row */

FV_SHARED(fv_f32, area, PITCH *AREA_Y);

/* The plane that begins at `plane`, from (x0, y0) on; `outside` stands for what is beside the picture. */
FV_FN void take(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x0, fv_i32 y0, fv_f32 outside)
{
    fv_i32 lane = fv_i32(FV_THREAD) % WARP;
    FV_BARRIER();
    for (fv_i32 row = fv_i32(FV_THREAD) / WARP; row < AREA_Y; row += THREADS / WARP) {
        fv_i32 y = y0 + row, at = plane + y * args.stride + x0;
        bool within = y >= 0 && y < args.height;
        FV_UNROLL
        for (fv_i32 turn = 0; turn < TURNS; turn++) {
            fv_i32 i = lane + turn * WARP, x = x0 + i;
            if (i < AREA_X) {
                fv_f32 value = outside;
                if (within && x >= 0 && x < args.width)
                    value = FV_AT(work, at + i);
                area[row * PITCH + PLACE(i)] = value;
            }
        }
    }
    FV_BARRIER();
}

#endif

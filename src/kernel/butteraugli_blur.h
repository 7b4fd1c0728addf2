/*
 * Butteraugli: a blur of both directions within a workgroup, for kernels that define REACH, TAPS and BLUR: a tile of
 * TILE_X by TILE_Y samples, of which a thread makes a column of eight.
 */
#ifndef FV_KERNEL_BUTTERAUGLI_BLUR_H
#define FV_KERNEL_BUTTERAUGLI_BLUR_H

#define TILE_X FV_BUTTER_TILE_X
#define TILE_Y FV_BUTTER_TILE_Y
#define COLUMN FV_BUTTER_COLUMN
#define THREADS (TILE_X * TILE_Y / COLUMN)
#define EACH 4 /* neighbours in a row that a thread makes */
#define AREA_X (TILE_X + 2 * REACH)
#define AREA_Y (TILE_Y + 2 * REACH)
#define PLACE(i) ((i) + (i) / EACH) /* so that threads of a warp read different banks */
#define PITCH ((AREA_X + AREA_X / EACH + 15) / 32 * 32 + 16)

#include "butteraugli_area.h"

FV_SHARED(fv_f32, rows, TILE_X *AREA_Y);

FV_STRUCT(Column)
{
    fv_f32 of[COLUMN];
};

/* The plane that begins at `plane`, blurred; all threads call it together. */
FV_FN Column blurred(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x0, fv_i32 y0)
{
    /* Inside the picture all gains are 1. */
    bool beside = x0 < REACH || x0 + TILE_X + REACH > args.width;
    bool ends = y0 < REACH || y0 + TILE_Y + REACH > args.height;
    take(args, work, plane, x0 - REACH, y0 - REACH, 0.0f);
    for (fv_i32 i = fv_i32(FV_THREAD); i < TILE_X / EACH * AREA_Y; i += THREADS) {
        fv_i32 line = i / (TILE_X / EACH), first = i % (TILE_X / EACH) * EACH;
        fv_f32 a[EACH + 2 * REACH];
        FV_UNROLL
        for (fv_i32 k = 0; k < EACH + 2 * REACH; k++)
            a[k] = area[line * PITCH + PLACE(first) + PLACE(k)];
        FV_UNROLL
        for (fv_i32 k = 0; k < EACH; k++) {
            fv_f32 s = TAPS[0] * a[k + REACH];
            FV_UNROLL
            for (fv_i32 n = 1; n <= REACH; n++)
                s = s + TAPS[n] * (a[k + REACH - n] + a[k + REACH + n]);
            if (beside)
                s = s * GAIN_X(BLUR, min(x0 + first + k, args.width - 1));
            rows[line * TILE_X + first + k] = s;
        }
    }
    FV_BARRIER();
    fv_f32 a[COLUMN + 2 * REACH];
    fv_i32 mine = fv_i32(FV_THREAD) / TILE_X * COLUMN * TILE_X + fv_i32(FV_THREAD) % TILE_X;
    fv_i32 y = y0 + fv_i32(FV_THREAD) / TILE_X * COLUMN;
    FV_UNROLL
    for (fv_i32 k = 0; k < COLUMN + 2 * REACH; k++)
        a[k] = rows[mine + k * TILE_X];
    Column column;
    FV_UNROLL
    for (fv_i32 k = 0; k < COLUMN; k++) {
        fv_f32 s = TAPS[0] * a[k + REACH];
        FV_UNROLL
        for (fv_i32 n = 1; n <= REACH; n++)
            s = s + TAPS[n] * (a[k + REACH - n] + a[k + REACH + n]);
        if (ends)
            s = s * GAIN_Y(BLUR, min(y + k, args.height - 1));
        column.of[k] = s;
    }
    return column;
}

#endif

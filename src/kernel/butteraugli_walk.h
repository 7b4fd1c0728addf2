/*
 * Butteraugli: blurs in both directions. A workgroup walks down a strip of the level, eight rows per step. The
 * including kernel defines WIDTH, REACH, TAPS, BLUR (whose factors to use) and ROLES: the number of planes that
 * separate threads blur side by side. A thread blurs eight samples along a row and then eight down its column. It
 * keeps a window of blurred rows of its column in registers, so each sample is read and blurred along its row only
 * once.
 */
#ifndef FV_KERNEL_BUTTERAUGLI_WALK_H
#define FV_KERNEL_BUTTERAUGLI_WALK_H

#define HEIGHT FV_BUTTER_WALK_HEIGHT
#define STEP FV_BUTTER_COLUMN
#define THREADS (ROLES * WIDTH)
#define ROLE (fv_i32(FV_THREAD) / WIDTH)
#define EDGE ((REACH + 3) / 4 * 4) /* rows to read above a strip */
#define WARM (2 * EDGE / STEP)     /* steps before the first result */
#define WARP 32
#define LINES (STEP * WARP / WIDTH) /* rows of a step in which a thread reads samples */
#define AREA_X (WIDTH + 2 * REACH)
#define TURNS ((AREA_X + WARP - 1) / WARP)
/* One more than a multiple of 16, so that eight rows of four columns are in different banks. */
#define PITCH ((AREA_X + 14) / 16 * 16 + 1)
#define ROW_PITCH (WIDTH + 1)

FV_SHARED(fv_f32, area, ROLES *STEP *PITCH);
FV_SHARED(fv_f32, rows, ROLES *STEP *ROW_PITCH);

FV_STRUCT(Fetched)
{
    fv_f32 of[LINES * TURNS];
};

FV_STRUCT(Column)
{
    fv_f32 of[STEP];
};

FV_STRUCT(Window)
{
    fv_f32 of[STEP + 2 * EDGE];
};

#ifdef MIRRORED
/* Outside the level is its mirror image. A level that is larger than the frame repeats the frame's edges. */
#define THERE(x, y) true
#define NOT_EXTENDED (args.above == 0)
#define SIDEWAYS(x) min(max(mirrored(x, args.width) - args.left, 0), args.picture_width - 1)
#define LINE(y) min(max(mirrored(y, args.height) - args.above, 0), args.picture_height - 1)

FV_FN fv_i32 mirrored(fv_i32 i, fv_i32 n)
{
    return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}
#else
#define THERE(x, y) INSIDE(x, y)
#define NOT_EXTENDED true
#define SIDEWAYS(x) (x)
#define LINE(y) (y)
#endif
/* Address of a sample of a plane; it must exist. */
#define FROM(i) FV_OFFSET(fv_f32_p, work, 4ul * fv_u32(i))
#define BELOW(at, rows) FV_OFFSET(fv_f32_p, at, 4ul * fv_u32((rows)*args.stride))
#define PLACE(plane, x, y) ((plane) + (y)*args.stride + (x))

/*
 * Loads the samples that a thread reads in the eight rows from y0 on of the plane at index `plane`. Outside the frame
 * they are 0, unless the kernel defines MIRRORED.
 */
FV_FN Fetched fetched(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x0, fv_i32 y0)
{
    Fetched samples;
    fv_i32 lane = fv_i32(FV_THREAD) % WARP, line = fv_i32(FV_THREAD) % WIDTH / WARP, x = x0 - REACH + lane;
    if (x0 >= REACH && x0 + WIDTH + REACH <= args.width && y0 >= 0 && y0 + STEP <= args.height && NOT_EXTENDED) {
        fv_f32_p at = FROM(PLACE(plane, x, y0 + line));
        FV_UNROLL
        for (fv_i32 r = 0; r < LINES; r++) {
            FV_UNROLL
            for (fv_i32 turn = 0; turn < TURNS; turn++) {
                fv_i32 i = turn * WARP;
                samples.of[r * TURNS + turn] = 0.0f;
                if (i + WARP <= AREA_X || lane + i < AREA_X)
                    samples.of[r * TURNS + turn] = FV_AT(at, i);
            }
            at = BELOW(at, WIDTH / WARP);
        }
    } else {
        FV_UNROLL
        for (fv_i32 r = 0; r < LINES; r++) {
            fv_i32 y = y0 + line + r * (WIDTH / WARP);
            FV_UNROLL
            for (fv_i32 turn = 0; turn < TURNS; turn++) {
                fv_i32 i = turn * WARP;
                samples.of[r * TURNS + turn] = 0.0f;
                if (THERE(x + i, y) && (i + WARP <= AREA_X || lane + i < AREA_X))
                    samples.of[r * TURNS + turn] = FV_AT(FROM(PLACE(plane, SIDEWAYS(x + i), LINE(y))), 0);
            }
        }
    }
    return samples;
}

FV_FN void put(Fetched samples)
{
    fv_i32 lane = fv_i32(FV_THREAD) % WARP, line = fv_i32(FV_THREAD) % WIDTH / WARP;
    FV_UNROLL
    for (fv_i32 r = 0; r < LINES; r++) {
        fv_i32 at = (ROLE * STEP + line + r * (WIDTH / WARP)) * PITCH + lane;
        FV_UNROLL
        for (fv_i32 turn = 0; turn < TURNS; turn++) {
            fv_i32 i = turn * WARP;
            if (i + WARP <= AREA_X || lane + i < AREA_X)
                area[at + i] = samples.of[r * TURNS + turn];
        }
    }
}

/* Blurs the area along its rows. */
FV_FN void blur_rows(FvButterArgs args, fv_i32 x0)
{
    fv_i32 line = fv_i32(FV_THREAD) % STEP, first = fv_i32(FV_THREAD) % WIDTH / STEP * STEP;
    fv_i32 from = (ROLE * STEP + line) * PITCH + first, to = (ROLE * STEP + line) * ROW_PITCH + first;
    fv_f32 a[STEP + 2 * REACH];
    Column s;
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP + 2 * REACH; k++)
        a[k] = area[from + k];
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP; k++)
        s.of[k] = TAPS[0] * a[k + REACH];
    FV_UNROLL
    for (fv_i32 i = 1; i <= REACH; i++) {
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++)
            s.of[k] = s.of[k] + TAPS[i] * (a[k + REACH - i] + a[k + REACH + i]);
    }
#ifdef BLUR
    /* Away from the sides of the level all factors are 1. */
    if (x0 < REACH || x0 + WIDTH + REACH > args.width) {
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++)
            s.of[k] = s.of[k] * GAIN_X(BLUR, min(x0 + first + k, args.width - 1));
    }
#endif
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP; k++)
        rows[to + k] = s.of[k];
}

/* Returns the thread's column of the area, before the walk overwrites it. */
FV_FN Column kept_column()
{
    Column column;
    fv_i32 at = ROLE * STEP * PITCH + fv_i32(FV_THREAD) % WIDTH + REACH;
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP; k++)
        column.of[k] = area[at + k * PITCH];
    return column;
}

FV_FN Window no_window()
{
    Window window;
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP + 2 * EDGE; k++)
        window.of[k] = 0.0f;
    return window;
}

/* Returns the window moved down by eight rows. */
FV_FN Window moved(Window window)
{
    fv_i32 at = ROLE * STEP * ROW_PITCH + fv_i32(FV_THREAD) % WIDTH;
    FV_UNROLL
    for (fv_i32 k = 0; k < 2 * EDGE; k++)
        window.of[k] = window.of[k + STEP];
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP; k++)
        window.of[2 * EDGE + k] = rows[at + k * ROW_PITCH];
    return window;
}

/* Returns the column of blurred samples from row y on. */
FV_FN Column blurred(FvButterArgs args, Window window, fv_i32 y)
{
    Column s;
    FV_UNROLL
    for (fv_i32 k = 0; k < STEP; k++) {
        s.of[k] = TAPS[0] * window.of[k + EDGE];
        FV_UNROLL
        for (fv_i32 i = 1; i <= REACH; i++)
            s.of[k] = s.of[k] + TAPS[i] * (window.of[k + EDGE - i] + window.of[k + EDGE + i]);
    }
#ifdef BLUR
    if (y < REACH || y + STEP + REACH > args.height) {
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++)
            s.of[k] = s.of[k] * GAIN_Y(BLUR, min(y + k, args.height - 1));
    }
#endif
    return s;
}

/* Whether all samples of a step are inside the level. */
#define WHOLE(x0, y) ((x0) + WIDTH <= args.width && (y) + STEP <= args.height)

/* Loads eight vertically adjacent samples of a plane, in the thread's column of the strip, from row y on. */
FV_FN Column column_at(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x0, fv_i32 y)
{
    Column column;
    fv_i32 x = x0 + fv_i32(FV_THREAD) % WIDTH;
    if (WHOLE(x0, y)) {
        fv_f32_p at = FROM(PLACE(plane, x, y));
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++) {
            column.of[k] = FV_AT(at, 0);
            at = BELOW(at, 1);
        }
    } else {
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++) {
            column.of[k] = 0.0f;
            if (x < args.width && y + k < args.height)
                column.of[k] = FV_AT(FROM(PLACE(plane, x, y + k)), 0);
        }
    }
    return column;
}

FV_FN void put_column(FvButterArgs args, fv_f32_p work, fv_i32 plane, fv_i32 x0, fv_i32 y, Column column)
{
    fv_i32 x = x0 + fv_i32(FV_THREAD) % WIDTH;
    if (WHOLE(x0, y)) {
        fv_f32_p at = FROM(PLACE(plane, x, y));
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++) {
            FV_AT(at, 0) = column.of[k];
            at = BELOW(at, 1);
        }
    } else {
        FV_UNROLL
        for (fv_i32 k = 0; k < STEP; k++)
            if (x < args.width && y + k < args.height)
                FV_AT(FROM(PLACE(plane, x, y + k)), 0) = column.of[k];
    }
}

/* Returns the number of steps for a strip that starts at row y0. */
FV_FN fv_i32 steps_from(FvButterArgs args, fv_i32 y0)
{
    return WARM + (min(HEIGHT, args.height - y0) + STEP - 1) / STEP;
}

#endif

/*
 * Vector operations on rows of a pyramid: separating and joining even and odd samples, and expanding a plane row by
 * row.
 */
#pragma once

#include "cpu/simd.h"
#include "cpu/vdm_plane.h"

#include "arith/vdm.h"

#if FV_LANES == 16
#define FV_VDM_LANES(a, b, first, step)                                                                              \
    __builtin_shufflevector(a, b, first, first + step, first + 2 * step, first + 3 * step, first + 4 * step,         \
                            first + 5 * step, first + 6 * step, first + 7 * step, first + 8 * step,                  \
                            first + 9 * step, first + 10 * step, first + 11 * step, first + 12 * step,               \
                            first + 13 * step, first + 14 * step, first + 15 * step)
#define FV_VDM_JOIN(a, b, at)                                                                                        \
    __builtin_shufflevector(a, b, at, at + 16, at + 1, at + 17, at + 2, at + 18, at + 3, at + 19, at + 4, at + 20,   \
                            at + 5, at + 21, at + 6, at + 22, at + 7, at + 23)
#elif FV_LANES == 8
#define FV_VDM_LANES(a, b, first, step)                                                                              \
    __builtin_shufflevector(a, b, first, first + step, first + 2 * step, first + 3 * step, first + 4 * step,         \
                            first + 5 * step, first + 6 * step, first + 7 * step)
#define FV_VDM_JOIN(a, b, at)                                                                                        \
    __builtin_shufflevector(a, b, at, at + 8, at + 1, at + 9, at + 2, at + 10, at + 3, at + 11)
#else
#define FV_VDM_LANES(a, b, first, step)                                                                              \
    __builtin_shufflevector(a, b, first, first + step, first + 2 * step, first + 3 * step)
#define FV_VDM_JOIN(a, b, at) __builtin_shufflevector(a, b, at, at + 4, at + 1, at + 5)
#endif

/* Returns the lanes of `a` from lane n on, followed by the first lanes of b. */
#define FV_VDM_SHIFT(a, b, n) FV_VDM_LANES(a, b, n, 1)

typedef struct Two {
    fv_f32 even, odd;
} Two;

/* Returns the even and the odd samples of a row, starting at `from`. */
FV_FN Two apart(const float *from)
{
    fv_f32 low = FV_LOAD(fv_f32, from), high = FV_LOAD(fv_f32, from + FV_LANES);
    return (Two){FV_VDM_LANES(low, high, 0, 2), FV_VDM_LANES(low, high, 1, 2)};
}

/*
 * A plane that is being expanded along its rows, a few rows at a time: columns [first, first + width) of the result.
 */
typedef struct Expanded {
    const FvVdmPlane *from;
    int first, width; /* first is even */
    int held[4];
    float *work;
    ptrdiff_t pitch;
} Expanded;

/* Returns an expansion of which no row is computed yet. work: memory for four rows of fv_vdm_stride(width) floats. */
FV_FN Expanded expanded_rows(const FvVdmPlane *from, int first, int width, float *work)
{
    return (Expanded){from, first, width, {-1, -1, -1, -1}, work, fv_vdm_stride(width)};
}

FV_FN const float *expanded_row(Expanded *expanded, int i)
{
    i = fv_vdm_mirror(i, expanded->from->height);
    float *to = expanded->work + (i & 3) * expanded->pitch;
    if (expanded->held[i & 3] == i)
        return to;
    expanded->held[i & 3] = i;
    const float *row = fv_vdm_row(expanded->from, i) + expanded->first / 2;
    for (int x = 0; 2 * x < expanded->width; x += FV_LANES) {
        fv_f32 here = FV_LOAD(fv_f32, row + x), next = FV_LOAD(fv_f32, row + x + 1);
        fv_f32 even = fv_vdm_expand_even(here, FV_LOAD(fv_f32, row + x - 1), next);
        fv_f32 odd = fv_vdm_expand_odd(here, next);
        FV_STORE(to + 2 * x, FV_VDM_JOIN(even, odd, 0));
        FV_STORE(to + 2 * x + FV_LANES, FV_VDM_JOIN(even, odd, FV_LANES / 2));
    }
    return to;
}

/* The inputs of row y of the result: rows i - 1, i and i + 1 of the plane; i and i + 1 if y is odd. */
typedef struct NearRows {
    const float *row[3];
    bool odd;
} NearRows;

FV_FN NearRows expanded_near(Expanded *expanded, int y)
{
    int i = y >> 1;
    if (y & 1) {
        const float *here = expanded_row(expanded, i), *next = expanded_row(expanded, i + 1);
        return (NearRows){{here, here, next}, true};
    }
    const float *before = expanded_row(expanded, i - 1), *here = expanded_row(expanded, i);
    return (NearRows){{before, here, expanded_row(expanded, i + 1)}, false};
}

FV_FN fv_f32 expanded_at(const NearRows *near, int x)
{
    fv_f32 here = FV_LOAD(fv_f32, near->row[1] + x), next = FV_LOAD(fv_f32, near->row[2] + x);
    if (near->odd)
        return fv_vdm_expand_odd(here, next);
    return fv_vdm_expand_even(here, FV_LOAD(fv_f32, near->row[0] + x), next);
}

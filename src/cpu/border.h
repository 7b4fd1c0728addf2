/* Indices of samples past the borders of a row or column. */
#pragma once

/* Returns the nearest index to i of n samples. */
static inline int fv_clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* Returns index i mirrored at the first or the last of n samples, which is not repeated. */
static inline int fv_mirror(int i, int n)
{
    return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

/* Returns index i mirrored at the outer edge of the first or the last of n samples, which is repeated. */
static inline int fv_mirror_edge(int i, int n)
{
    return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

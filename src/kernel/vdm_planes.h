/* The visual discrimination model in kernels: reflection at borders, and samples of an expanded plane. */
#ifndef FV_KERNEL_VDM_PLANES_H
#define FV_KERNEL_VDM_PLANES_H

/* Returns index i reflected about the outer edges of the border samples as often as necessary. */
FV_FN fv_i32 mirror(fv_i32 i, fv_i32 n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

/* Returns the same as mirror() for any i, in one step. */
FV_FN fv_i32 mirror_far(fv_i32 i, fv_i32 n)
{
    fv_i32 period = 2 * n;
    fv_i32 at = (i < 0 ? i + (period - 1 - i) / period * period : i) % period;
    return at < n ? at : period - 1 - at;
}

/* Returns sample x of a row of n samples that is expanded along the row; at: index of the row. */
FV_FN fv_f32 expanded_across(fv_f32_p work, fv_i32 at, fv_i32 n, fv_i32 x)
{
    fv_i32 i = x >> 1;
    fv_f32 here = FV_AT(work, at + i), next = FV_AT(work, at + min(i + 1, n - 1));
    if ((x & 1) == 1)
        return fv_vdm_expand_odd(here, next);
    return fv_vdm_expand_even(here, FV_AT(work, at + max(i - 1, 0)), next);
}

/* Returns sample (x, y) of the expansion of a plane of width x height. */
FV_FN fv_f32 expanded_at(fv_f32_p work, fv_i32 plane, fv_i32 width, fv_i32 height, fv_i32 x, fv_i32 y)
{
    fv_i32 i = y >> 1;
    fv_f32 here = expanded_across(work, plane + i * width, width, x);
    fv_f32 next = expanded_across(work, plane + min(i + 1, height - 1) * width, width, x);
    if ((y & 1) == 1)
        return fv_vdm_expand_odd(here, next);
    return fv_vdm_expand_even(here, expanded_across(work, plane + max(i - 1, 0) * width, width, x), next);
}

#endif

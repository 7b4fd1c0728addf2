/*
 * Eigenvalues of a symmetric tridiagonal matrix: the formulas of the implicit-shift QR iteration (Golub and
 * Van Loan, Matrix Computations, chapter 8). The order of operations is part of the result.
 */
#ifndef FV_ARITH_EIGEN_H
#define FV_ARITH_EIGEN_H

/* Maximum number of steps. The iteration stops after them, converged or not. */
#define FV_EIGEN_STEPS 500

/* Returns whether x is negligible compared with `size`. */
FV_FN fv_mask fv_eigen_small(fv_f32 x, fv_f32 size)
{
    return fv_f64_from_f32(x) < FV_F64(1e-6) * fv_f64_from_f32(size);
}

/* Returns whether the entry t next to the diagonal entries d0 and d1 is so small that it splits the matrix. */
FV_FN fv_mask fv_eigen_splits(fv_f32 t, fv_f32 d0, fv_f32 d1)
{
    return fv_eigen_small(fv_abs_f32(t), fv_abs_f32(d0) + fv_abs_f32(d1));
}

FV_STRUCT(FvRotation)
{
    fv_f32 c, s;
};

/* Returns the rotation of (x, z) that makes its second component 0. */
FV_FN FvRotation fv_eigen_rotation(fv_f32 x, fv_f32 z)
{
    FvRotation result;
    fv_mask steep = fv_abs_f32(z) > fv_abs_f32(x), none = z == fv_splat_f32(0);
    fv_f32 over = fv_sel_f32(none, fv_splat_f32(1), fv_sel_f32(steep, z, x));
    fv_f32 f = fv_div(-fv_sel_f32(steep, x, z), over);
    fv_f32 large = fv_inverse_sqrt(fv_splat_f32(1) + f * f);
    result.c = fv_sel_f32(none, fv_splat_f32(1), fv_sel_f32(steep, large * f, large));
    result.s = fv_sel_f32(none, fv_splat_f32(0), fv_sel_f32(steep, large, large * f));
    return result;
}

/* The 2x2 matrix (p r; r q) after a rotation has been applied from both sides. */
FV_STRUCT(FvTurned)
{
    fv_f32 p, r, q;
};

FV_FN FvTurned fv_eigen_turn(FvRotation by, fv_f32 p, fv_f32 r, fv_f32 q)
{
    FvTurned result;
    fv_f32 first = by.s * p + by.c * r, second = by.s * r + by.c * q;
    result.p = by.c * (by.c * p - by.s * r) + by.s * (by.s * q - by.c * r);
    result.r = by.c * first - by.s * second;
    result.q = by.s * first + by.c * second;
    return result;
}

/*
 * Returns the shift from the last 2x2 matrix (before u; u last), or 0 if the shift is too large compared with the
 * first row.
 */
FV_FN fv_f32 fv_eigen_shift(fv_f32 before, fv_f32 u, fv_f32 last, fv_f32 first_diagonal, fv_f32 first_beside)
{
    fv_f32 g = (before - last) * fv_splat_f32(0.5f), none = fv_splat_f32(0);
    fv_mask zero = g == none, positive = g > none;
    fv_f32 reach = fv_sel_f32(positive, g, -g) + fv_sqrt(g * g + u * u);
    fv_f32 step = u * fv_div(u, fv_sel_f32(zero, fv_splat_f32(1), reach));
    fv_f32 shift = fv_sel_f32(zero, last - fv_abs_f32(u), fv_sel_f32(positive, last - step, last + step));
    fv_f32 edge = fv_abs_f32(first_diagonal) + fv_abs_f32(first_beside);
    return fv_sel_f32(fv_eigen_small(edge, shift), none, shift);
}

#endif

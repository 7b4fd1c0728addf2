/*
 * Householder's reduction of a symmetric matrix to tridiagonal form: the formulas of one column. The order of
 * operations is part of the result.
 */
#ifndef FV_ARITH_TRIDIAGONAL_H
#define FV_ARITH_TRIDIAGONAL_H

/* The sign of x as +1 or -1; +1 for both zeros. */
FV_FN fv_f32 fv_tridiagonal_sign(fv_f32 x)
{
    return fv_sel_f32(x >= fv_splat_f32(0), fv_splat_f32(1), fv_splat_f32(-1));
}

/* The Householder reflection that maps a column, `alpha` above entries of norm `rest`, to beta above zeros. */
FV_STRUCT(FvReflection)
{
    fv_f32 beta, tau, scale; /* the vector is 1 above rest / scale */
};

FV_FN FvReflection fv_tridiagonal_reflection(fv_f32 alpha, fv_f32 squares)
{
    FvReflection result;
    fv_f32 rest = fv_sqrt(squares);
    result.beta = -fv_tridiagonal_sign(alpha) * fv_sqrt(alpha * alpha + rest * rest);
    result.tau = fv_div(result.beta - alpha, result.beta);
    result.scale = alpha - result.beta;
    return result;
}

FV_FN fv_f32 fv_tridiagonal_product(fv_f32 sum, fv_f32 entry, fv_f32 tau, fv_f32 v)
{
    return sum + (tau * entry) * v;
}

/* Removes from p its component along v; along: the inner product of p and v. */
FV_FN fv_f32 fv_tridiagonal_correction(fv_f32 p, fv_f32 tau, fv_f32 along, fv_f32 v)
{
    return p + (-0.5f * tau) * along * v;
}

FV_FN fv_f32 fv_tridiagonal_update(fv_f32 entry, fv_f32 p_row, fv_f32 v_row, fv_f32 p_column, fv_f32 v_column)
{
    return entry - (p_row * v_column + v_row * p_column);
}

#endif

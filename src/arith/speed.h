/* SpEED: the formulas of one sample, of one pair of elements, and of one block. docs/metrics/speed.md */
#ifndef FV_ARITH_SPEED_H
#define FV_ARITH_SPEED_H

#include "arith/log2.h"
#include "arith/speed_filter.h"
#include "arith/tridiagonal.h"

FV_FN fv_f64 fv_speed_deviation(fv_f32_half value, fv_f64 mean)
{
    return fv_f64_from_f32(value) - mean;
}

/* Adds one more sample to the covariance sum of a pair of elements. */
FV_FN fv_f64 fv_speed_covary(fv_f64 sum, fv_f64 deviation, double other)
{
    return sum + deviation * other;
}

/*
 * Returns the first component of a Householder reflector: the column's first entry, moved away from 0 by the column's
 * norm.
 */
FV_FN fv_f32 fv_speed_lengthen(fv_f32 head, fv_f32 pivot, fv_f32 squares)
{
    return head + fv_tridiagonal_sign(pivot) * fv_sqrt(squares);
}

/* Returns an entry of the reflection by a unit vector, less 1 if it is on the diagonal. */
FV_FN fv_f32 fv_speed_reflect(fv_f32 row, fv_f32 column)
{
    return -2.0f * row * column;
}

/* Adds one more term to an element of a matrix product. */
FV_FN fv_f32 fv_speed_term(fv_f32 sum, fv_f32 value, float factor)
{
    return sum + value * factor;
}

/* Subtracts a known component from the right-hand side, for back substitution. */
FV_FN fv_f32 fv_speed_eliminate(fv_f32 rest, fv_f32 known, float factor)
{
    return rest - known * factor;
}

/*
 * Returns whether x, an eigenvalue or the magnitude of a pivot, makes the matrix singular: x is below 10^-6. The
 * 32-bit literal is the greatest float below 10^-6. x is one number, not a lane.
 */
#define fv_speed_vanishes(x) ((x) <= 0.000001f)

/* Returns the term of one element in a block's variance. */
FV_FN fv_f32 fv_speed_variance(fv_f32 solution, fv_f32 value)
{
    return fv_div(solution * value, fv_splat_f32(25));
}

/* log2(2 pi e) */
#define FV_SPEED_GAUSSIAN FV_F64(4.094191170361253)

/* Adds the entropy of one more component, whose eigenvalue is at least 0, under the neural noise sigma. */
FV_FN fv_f32_half fv_speed_entropy(fv_f32_half entropy, fv_f32_half variance, float eigenvalue, float sigma)
{
    fv_f32_half power = variance * eigenvalue + sigma;
    return fv_f32_from_f64(fv_f64_from_f32(entropy) + (fv_log2(fv_f64_from_f32(power)) + FV_SPEED_GAUSSIAN));
}

/*
 * Returns the weight of the entropy of the reference block (side 0) or of the distorted block (side 1). mode: the
 * option speed_weight_var_mode.
 */
FV_FN fv_f64 fv_speed_weight(fv_f32_half ref, fv_f32_half dis, int mode, int side)
{
    fv_f32_half own = side == 0 ? ref : dis;
    if (mode == 0 || (mode >= 4 && side == 0))
        return fv_f64_from_f32(own + 1.0f);
    if (mode == 1)
        return fv_f64_from_f32(ref + 1.0f);
    if (mode == 2)
        return fv_f64_from_f32(dis + 1.0f);
    if (mode <= 4)
        return fv_f64_from_f32(ref + dis) * FV_F64(0.5) + FV_F64(1.0);
    if (mode == 5)
        return (fv_f64_from_f32(ref) * FV_F64(0.75) + fv_f64_from_f32(dis) * FV_F64(0.25)) + FV_F64(1.0);
    return (fv_f64_from_f32(ref) * FV_F64(0.25) + fv_f64_from_f32(dis) * FV_F64(0.75)) + FV_F64(1.0);
}

FV_FN fv_f32_half fv_speed_information(fv_f32_half entropy, fv_f64 weight)
{
    return fv_f32_from_f64(fv_f64_from_f32(entropy) * fv_log2(weight));
}

#endif

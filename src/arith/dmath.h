/*
 * Logarithm and power of binary64 numbers for tables and scores that the host computes, defined here so that their
 * bits do not depend on a C library: + - * /, exact scaling by powers of two, and nothing else. One number at a time.
 */
#ifndef FV_ARITH_DMATH_H
#define FV_ARITH_DMATH_H

#include <math.h>

#define FV_D_LOG2_E 1.4426950408889634
#define FV_D_LN_2 0.6931471805599453

/* log2(x), x > 0: the series of the area tangent. */
static inline double fv_d_log2(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.7071067811865476) {
        m *= 2;
        exponent--;
    }
    double z = (m - 1) / (m + 1), square = z * z, p = 0;
    for (int k = 25; k > 0; k -= 2)
        p = p * square + 1.0 / k;
    return exponent + (2 * FV_D_LOG2_E) * (z * p);
}

static inline double fv_d_log10(double x)
{
    return fv_d_log2(x) * 0.30102999566398120;
}

/* 2^y, |y| <= 1000: Taylor's series. */
static inline double fv_d_exp2(double y)
{
    double n = floor(y + 0.5), f = (y - n) * FV_D_LN_2, p = 1;
    for (int k = 16; k > 0; k--)
        p = 1 + (p * f) / k;
    return ldexp(p, (int)n);
}

static inline double fv_d_exp(double x)
{
    return fv_d_exp2(x * FV_D_LOG2_E);
}

/* x^y; 0 for x <= 0. */
static inline double fv_d_pow(double x, double y)
{
    return x > 0 ? fv_d_exp2(y * fv_d_log2(x)) : 0;
}

#endif

/*
 * Logarithm, power and sine of binary64 numbers for tables and scores that the host computes. They use nothing
 * but + - * / and exact scaling by powers of two, so their bits do not depend on a C library. Each function takes one
 * number, not a vector.
 */
#ifndef FV_ARITH_DMATH_H
#define FV_ARITH_DMATH_H

#include <math.h>

#define FV_D_LOG2_E 1.4426950408889634
#define FV_D_LN_2 0.6931471805599453

/* log2(x) for x > 0, by the series of the inverse hyperbolic tangent. */
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

/* 2^y by its Taylor series: infinite or 0 where y is far outside the range of a double's exponent, NaN for a NaN. */
static inline double fv_d_exp2(double y)
{
    if (!(y > -1100 && y < 1100))
        return y > 0 ? INFINITY : y < 0 ? 0 : y;
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

/* sin(pi x) by its Taylor series around the nearest whole number. */
static inline double fv_d_sin_pi(double x)
{
    static const double k[11] = {0x1.921fb54442d18p+1,   -0x1.4abbce625be53p+2,  0x1.466bc6775aae2p+1,
                                 -0x1.32d2cce62bd86p-1,  0x1.50783487ee782p-4,   -0x1.e3074fde8871fp-8,
                                 0x1.e8f434d018d63p-12,  -0x1.6fadb9f155744p-16, 0x1.aaec32af93359p-21,
                                 -0x1.8a404211f9547p-26, 0x1.2877020d52cf0p-31};
    double whole = floor(x + 0.5), r = x - whole, q = r * r, sum = k[10];
    for (int i = 9; i >= 0; i--)
        sum = sum * q + k[i];
    return fmod(whole, 2.0) == 0.0 ? sum * r : -(sum * r);
}

#endif

/*
 * Logarithms, exponential and power of binary64 numbers, rounded to nearest, by integers alone: their bits depend on
 * no C library, compiler, flag, processor or rounding mode. For the few values of a frame that the host turns into
 * scores; one call takes about a microsecond. tests/unit/exact.c
 */
#ifndef FV_ARITH_EXACT_H
#define FV_ARITH_EXACT_H

/* Logarithms to the bases 10 and e: -inf of 0 and -0, NaN below 0, inf of inf. */
double fv_log10_exact(double x);
double fv_log_exact(double x);

/* e^x: 0 of -inf, inf of inf. */
double fv_exp_exact(double x);

/* x^y of x >= 0, and 1 for y = 0; NaN below 0. Of two equally near numbers the even one, also where the distances
 * differ by less than 2^-63 of the spacing. */
double fv_pow_exact(double x, double y);

#endif

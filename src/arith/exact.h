/*
 * Logarithms, exponential and power of binary64 numbers, correctly rounded to nearest. They use integers alone, so
 * their bits do not depend on a C library, compiler, flag, processor or rounding mode. One call takes about a
 * microsecond, so they are for the few values per frame that the host turns into scores. Test: tests/unit/exact.c
 */
#ifndef FV_ARITH_EXACT_H
#define FV_ARITH_EXACT_H

/* Logarithms to base 10 and e. They return -inf for 0 and -0, NaN for negative numbers, inf for inf. */
double fv_log10_exact(double x);
double fv_log_exact(double x);

/* e^x: 0 for -inf, inf for inf. */
double fv_exp_exact(double x);

/*
 * x^y for x >= 0; 1 for y = 0; NaN for negative x. A tie goes to the even number; a result within 2^-63 of the
 * spacing from a tie counts as one.
 */
double fv_pow_exact(double x, double y);

#endif

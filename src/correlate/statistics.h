/* Statistics of lists of numbers. Sums run in the order of the list. A statistic that is not defined is NaN. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FV_Z95 1.959963984540054 /* quantile of the standard normal distribution for two-sided 95 % intervals */

/* Return e^x, with x limited to [-500, 500], and the natural logarithm, both by arith/dmath.h. */
double fv_stat_exp(double x);
double fv_stat_log(double x);

double fv_stat_mean(const double *v, int count);

/* Returns the root of (sum of squares / by); NaN unless `by` is above 0. */
double fv_stat_rms(const double *v, int count, int by);

/* Returns the linear correlation, clamped to [-1, 1]; NaN if a list is constant. */
double fv_stat_pearson(const double *a, const double *b, int count);

/* Writes the ranks, from 1 on; equal numbers get their mean rank. `order` is working memory for `count` numbers. */
void fv_stat_ranks(const double *v, int count, double *ranks, int *order);

/* Returns Kendall's tau-b; NaN if a list is constant. */
double fv_stat_kendall(const double *a, const double *b, int count);

/*
 * Returns a percentile, interpolated linearly between the nearest two sorted numbers; NaN if there are none. share:
 * [0, 1].
 */
double fv_stat_percentile(const double *sorted, int64_t count, double share);

void fv_stat_sort(double *v, int64_t count);

/* Returns Fisher's transform of a correlation; NaN at -1 and 1. */
double fv_stat_fisher(double r);

/* Returns the complementary error function of t >= 0. */
double fv_stat_erfc(double t);

/*
 * Returns, of all pairs of one number of `more` and one of `less`, the share in which the number of `more` is
 * greater. Pairs of equal numbers count half. Both lists are sorted.
 */
double fv_stat_auc(const double *more, int64_t more_count, const double *less, int64_t less_count);

/*
 * Returns a random number in [0, n) by SplitMix64 (Steele, Lea and Flood 2014). *state: the seed before the first
 * call.
 */
int fv_stat_draw(uint64_t *state, int n);

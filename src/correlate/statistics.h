/* Statistics of lists of numbers. Sums run in the order of the list; NaN stands for what is not defined. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FV_Z95 1.959963984540054 /* the standard normal deviate of a two-sided 95 % */

/* e^x and the logarithm by arith/dmath.h; arguments of the first beyond 500 count as 500. */
double fv_stat_exp(double x);
double fv_stat_log(double x);

double fv_stat_mean(const double *v, int count);

/* The root of the sum of squares divided by `by`; NaN unless `by` is above 0. */
double fv_stat_rms(const double *v, int count, int by);

/* The linear correlation, clamped to [-1, 1]; NaN if a list has no spread. */
double fv_stat_pearson(const double *a, const double *b, int count);

/* Ranks from 1; equal numbers get their mean rank. `order` is working memory of `count`. */
void fv_stat_ranks(const double *v, int count, double *ranks, int *order);

/* Kendall's tau-b. */
double fv_stat_kendall(const double *a, const double *b, int count);

/* Between the nearest ranks of sorted numbers, linearly; NaN of none. `share`: [0, 1]. */
double fv_stat_percentile(const double *sorted, int64_t count, double share);

void fv_stat_sort(double *v, int64_t count);

/* Fisher's transform of a correlation; NaN at -1 and 1. */
double fv_stat_fisher(double r);

/* The complement of the error function of t >= 0. */
double fv_stat_erfc(double t);

/* Among all pairs of a number of `more` and a number of `less`, both sorted: the share in which the number of `more`
 * is greater. Pairs of equal numbers count half. */
double fv_stat_auc(const double *more, int64_t more_count, const double *less, int64_t less_count);

/* The next number below n of SplitMix64 (Steele, Lea and Flood 2014), whose state is a seed at first. */
int fv_stat_draw(uint64_t *state, int n);

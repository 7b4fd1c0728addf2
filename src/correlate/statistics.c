#include "correlate/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "arith/dmath.h"
#include "order.h"

double fv_stat_exp(double x)
{
    return fv_d_exp(fmin(fmax(x, -500), 500));
}

double fv_stat_log(double x)
{
    return fv_d_log2(x) * FV_D_LN_2;
}

double fv_stat_mean(const double *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += v[i];
    return sum / count;
}

double fv_stat_rms(const double *v, int count, int by)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += v[i] * v[i];
    return by > 0 ? sqrt(sum / by) : NAN;
}

double fv_stat_pearson(const double *a, const double *b, int count)
{
    const double mean[2] = {fv_stat_mean(a, count), fv_stat_mean(b, count)};
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < count; i++) {
        const double da = a[i] - mean[0], db = b[i] - mean[1];
        ab += da * db;
        aa += da * da;
        bb += db * db;
    }
    const double root = sqrt(aa * bb);
    return root > 0 ? fmin(fmax(ab / root, -1), 1) : NAN;
}

/* ---- Order ----------------------------------------------------------------------------------------------------- */

void fv_stat_sort(double *v, int64_t count)
{
    qsort(v, (size_t)count, sizeof *v, fv_compare_reals);
}

/* Sorts indices by their numbers in v: merges runs of doubling length. `ranks` serves as working memory. */
static void sort_places(const double *v, int count, int *order, double *ranks)
{
    int *from = order, *to = (int *)ranks;
    for (int i = 0; i < count; i++)
        from[i] = i;
    for (int run = 1; run < count; run *= 2) {
        for (int begin = 0; begin < count; begin += 2 * run) {
            const int middle = begin + run < count ? begin + run : count;
            const int end = middle + run < count ? middle + run : count;
            for (int left = begin, right = middle, k = begin; k < end; k++)
                to[k] =
                    left < middle && (right == end || v[from[left]] <= v[from[right]]) ? from[left++] : from[right++];
        }
        int *const other = from;
        from = to;
        to = other;
    }
    for (int i = 0; i < count && from != order; i++)
        order[i] = from[i];
}

void fv_stat_ranks(const double *v, int count, double *ranks, int *order)
{
    sort_places(v, count, order, ranks);
    for (int first = 0, last; first < count; first = last + 1) {
        last = first;
        while (last + 1 < count && v[order[last + 1]] == v[order[first]])
            last++;
        for (int k = first; k <= last; k++)
            ranks[order[k]] = (first + last + 2) / 2.0;
    }
}

double fv_stat_kendall(const double *a, const double *b, int count)
{
    int64_t concordant = 0, differ_a = 0, differ_b = 0; /* concordant pairs minus discordant ones */
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const int x = (a[i] > a[j]) - (a[i] < a[j]), y = (b[i] > b[j]) - (b[i] < b[j]);
            concordant += x * y;
            differ_a += x != 0;
            differ_b += y != 0;
        }
    return differ_a && differ_b ? (double)concordant / sqrt((double)differ_a * (double)differ_b) : NAN;
}

double fv_stat_percentile(const double *sorted, int64_t count, double share)
{
    if (!count)
        return NAN;
    const double at = (double)(count - 1) * share;
    const int64_t i = (int64_t)at;
    return i + 1 >= count ? sorted[i] : sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

double fv_stat_auc(const double *more, int64_t more_count, const double *less, int64_t less_count)
{
    int64_t twice = 0, below = 0, i = 0;
    if (!more_count || !less_count)
        return NAN;
    while (i < more_count) {
        const double value = more[i];
        int64_t equal = 0, same = 0;
        while (below < less_count && less[below] < value)
            below++;
        while (below + equal < less_count && less[below + equal] == value)
            equal++;
        for (; i < more_count && more[i] == value; i++)
            same++;
        twice += same * (2 * below + equal);
    }
    return (double)twice / (2 * (double)more_count * (double)less_count);
}

/* ---- Distributions --------------------------------------------------------------------------------------------- */

double fv_stat_fisher(double r)
{
    return fabs(r) < 1 ? 0.5 * fv_stat_log((1 + r) / (1 - r)) : NAN;
}

double fv_stat_erfc(double t)
{
    if (t < 3) { /* a series with positive terms converges fast here */
        double term = t, total = t;
        for (int k = 1; k < 100; k++) {
            term = term * (2 * t * t) / (2 * k + 1);
            total += term;
        }
        return 1 - 1.1283791670955126 * fv_stat_exp(-(t * t)) * total;
    }
    double c = 0; /* a continued fraction converges fast here */
    for (int k = 60; k > 0; k--)
        c = (k * 0.5) / (t + c);
    return 0.5641895835477563 * fv_stat_exp(-(t * t)) / (t + c);
}

int fv_stat_draw(uint64_t *state, int n)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    z ^= z >> 31;
    /* The high 64 bits of z * n, whose n is below 2^32. */
    return (int)(((z >> 32) * (uint64_t)n + ((z & UINT32_MAX) * (uint64_t)n >> 32)) >> 32);
}

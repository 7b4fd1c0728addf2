#include "correlate/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "correlate/statistics.h"

#define MOST 5     /* maximum number of parameters of a curve */
#define TRIALS 500 /* maximum number of trials of a descent */
#define LIMIT 1e6  /* largest parameter for standardised data */
#define STEEP 100  /* slope above which the curve is nearly a step */

/* Returns the value of a logistic curve at t. d: receives the derivatives by the parameters; NULL: not needed. */
static double value_at(FvCurve curve, const double p[MOST], double t, double d[MOST])
{
    if (curve == FV_CURVE_LOGISTIC4) {
        const double s = 1 / (1 + fv_stat_exp(-(p[3] * (t - p[2]))));
        const double h = p[0] - p[1], q = s * (1 - s);
        if (d) {
            d[0] = s;
            d[1] = 1 - s;
            d[2] = -(h * p[3]) * q;
            d[3] = h * (t - p[2]) * q;
        }
        return p[1] + h * s;
    }
    const double s = 1 / (1 + fv_stat_exp(p[1] * (t - p[2])));
    const double q = s * (1 - s);
    if (d) {
        d[0] = 0.5 - s;
        d[1] = p[0] * (t - p[2]) * q;
        d[2] = -(p[0] * p[1]) * q;
        d[3] = t;
        d[4] = 1;
    }
    return p[0] * (0.5 - s) + p[3] * t + p[4];
}

/* Standardised scores t and votes u, to which a curve is fitted. */
typedef struct Data {
    FvCurve curve;
    const double *t, *u;
    int count, parameters;
} Data;

static double squares(const Data *data, const double p[MOST])
{
    double sum = 0;
    for (int i = 0; i < data->count; i++) {
        const double e = data->u[i] - value_at(data->curve, p, data->t[i], NULL);
        sum += e * e;
    }
    return sum;
}

/* Solves by Gaussian elimination with partial pivoting; of equal pivots the first is used. false: a pivot is 0. */
static bool solve(double m[MOST][MOST + 1], int n, double x[MOST])
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c]))
                pivot = r;
        if (m[pivot][c] == 0)
            return false;
        for (int k = 0; k <= n && pivot != c; k++) {
            const double kept = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = kept;
        }
        for (int r = c + 1; r < n; r++) {
            const double f = m[r][c] / m[c][c];
            for (int k = c; k <= n; k++)
                m[r][k] = m[r][k] - f * m[c][k];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        double v = m[r][n];
        for (int k = r + 1; k < n; k++)
            v = v - m[r][k] * x[k];
        x[r] = v / m[r][r];
    }
    return true;
}

/* Computes the normal equations at p: a, sums of products of derivatives, and g, of derivatives and errors. */
static void equations(const Data *data, const double p[MOST], double a[MOST][MOST], double g[MOST])
{
    const int n = data->parameters;
    double d[MOST];
    memset(a, 0, MOST * sizeof *a);
    memset(g, 0, MOST * sizeof *g);
    for (int row = 0; row < data->count; row++) {
        const double e = data->u[row] - value_at(data->curve, p, data->t[row], d);
        for (int i = 0; i < n; i++) {
            g[i] = g[i] + d[i] * e;
            for (int j = 0; j <= i; j++)
                a[i][j] = a[i][j] + d[i] * d[j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[j][i] = a[i][j];
}

/*
 * Descends from p by Levenberg and Marquardt's method, and writes the minimum to p. Returns the sum of squares there.
 */
static double descend(const Data *data, double p[MOST])
{
    const int n = data->parameters, slope = data->curve == FV_CURVE_LOGISTIC4 ? 3 : 1;
    double a[MOST][MOST], g[MOST], m[MOST][MOST + 1], step[MOST] = {0}, next[MOST];
    double lambda = 0.001, sum = squares(data, p);
    bool moved = true;
    for (int trial = 0; trial < TRIALS; trial++) {
        if (moved)
            equations(data, p, a, g);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                m[i][j] = a[i][j];
            m[i][i] = a[i][i] + lambda * a[i][i];
            m[i][n] = g[i];
        }
        moved = false;
        bool good = solve(m, n, step);
        for (int i = 0; i < n && good; i++)
            next[i] = p[i] + step[i];
        for (int i = 0; i < n && good; i++)
            good = fabs(next[i]) < LIMIT;
        if (good && next[slope] > 0) {
            const double sum_there = squares(data, next);
            if (sum_there < sum) {
                const bool done = sum - sum_there <= 1e-15 * sum;
                memcpy(p, next, (size_t)n * sizeof *p);
                sum = sum_there;
                moved = true;
                lambda = fmax(lambda / 10, 1e-12);
                if (done)
                    break;
            }
        }
        if (!moved) {
            lambda = lambda * 10;
            if (lambda > 1e12)
                break;
        }
    }
    return sum;
}

/* Keeps the better of two descents, from a flat and from a steep curve between the extremes of the votes. */
static void fit_logistic(FvFit *fit, const Data *data, FvCorrelateResult *result)
{
    double least = data->u[0], most = data->u[0], best = INFINITY;
    for (int i = 1; i < data->count; i++) {
        least = fmin(least, data->u[i]);
        most = fmax(most, data->u[i]);
    }
    const double hi = result->higher_is_better ? most : least, lo = result->higher_is_better ? least : most;
    static const double slopes[] = {1, 4};
    for (int k = 0; k < 2; k++) {
        double p[MOST] = {hi, lo, 0, slopes[k], 0};
        if (fit->curve == FV_CURVE_LOGISTIC5) {
            p[0] = hi - lo;
            p[1] = slopes[k];
            p[3] = 0;
        }
        const double sum = descend(data, p);
        if (k == 0 || sum < best) {
            best = sum;
            memcpy(fit->p, p, sizeof p);
        }
    }
    const double *p = fit->p, *mean = fit->mean, *deviation = fit->deviation;
    double *out = result->parameter;
    if (fit->curve == FV_CURVE_LOGISTIC4) {
        out[0] = p[0] * deviation[1] + mean[1];
        out[1] = p[1] * deviation[1] + mean[1];
        out[2] = p[2] * deviation[0] + mean[0];
        out[3] = deviation[0] / p[3];
        result->step = p[3] > STEEP;
        result->open = fmax(p[0], p[1]) > 2 * most - least || fmin(p[0], p[1]) < 2 * least - most;
    } else {
        out[0] = p[0] * deviation[1];
        out[1] = p[1] / deviation[0];
        out[2] = p[2] * deviation[0] + mean[0];
        out[3] = p[3] * deviation[1] / deviation[0];
        out[4] = (p[4] - p[3] * mean[0] / deviation[0]) * deviation[1] + mean[1];
    }
}

/* Fits a least-squares line through standardised data. */
static void fit_line(FvFit *fit, const Data *data, FvCorrelateResult *result)
{
    double tu = 0, tt = 0;
    for (int i = 0; i < data->count; i++) {
        tu += data->t[i] * data->u[i];
        tt += data->t[i] * data->t[i];
    }
    fit->p[0] = tu / tt;
    result->parameter[1] = fit->p[0] * fit->deviation[1] / fit->deviation[0];
    result->parameter[0] = fit->mean[1] - result->parameter[1] * fit->mean[0];
}

double fv_fit_at(const FvFit *fit, double x)
{
    const double t = (x - fit->mean[0]) / fit->deviation[0];
    return fit->curve == FV_CURVE_NONE     ? x
           : fit->curve == FV_CURVE_LINEAR ? (fit->p[0] * t) * fit->deviation[1] + fit->mean[1]
                                           : value_at(fit->curve, fit->p, t, NULL) * fit->deviation[1] + fit->mean[1];
}

/* Returns whether the curve falls between neighbouring scores where it should rise, or the reverse. */
static bool turns(const FvFit *fit, const Data *data, bool rises, double *sorted)
{
    bool turned = false;
    memcpy(sorted, data->t, (size_t)data->count * sizeof *sorted);
    fv_stat_sort(sorted, data->count);
    for (int i = 1; i < data->count; i++) {
        const double gain =
            value_at(fit->curve, fit->p, sorted[i], NULL) - value_at(fit->curve, fit->p, sorted[i - 1], NULL);
        turned |= rises ? gain < 0 : gain > 0;
    }
    return turned;
}

FvStatus fv_fit(FvFit *fit, FvCurve curve, const double *x, const double *y, int count, double *predictions,
                FvCorrelateResult *result, FvError *error)
{
    static const int parameters[] = {4, 5, 2, 0};
    const double *const lists[2] = {x, y};
    double *memory = calloc((size_t)count, 3 * sizeof *memory);
    if (!memory)
        return fv_fail_memory(error, (size_t)count * 3 * sizeof *memory);
    *fit = (FvFit){.curve = curve};
    result->parameters = parameters[curve];
    for (int k = 0; k < 2; k++) {
        double *standard = memory + (ptrdiff_t)k * count;
        fit->mean[k] = fv_stat_mean(lists[k], count);
        for (int i = 0; i < count; i++)
            standard[i] = lists[k][i] - fit->mean[k];
        fit->deviation[k] = fv_stat_rms(standard, count, count);
        for (int i = 0; i < count; i++)
            standard[i] = standard[i] / fit->deviation[k];
    }
    const Data data = {curve, memory, memory + count, count, parameters[curve]};
    if (curve == FV_CURVE_LINEAR)
        fit_line(fit, &data, result);
    else if (curve != FV_CURVE_NONE)
        fit_logistic(fit, &data, result);
    if (curve == FV_CURVE_LOGISTIC5)
        result->turns = turns(fit, &data, result->higher_is_better, memory + 2 * (ptrdiff_t)count);
    for (int i = 0; i < count; i++)
        predictions[i] = fv_fit_at(fit, x[i]);
    free(memory);
    return FV_OK;
}

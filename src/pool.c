/* Pooling of per-frame values over a clip. */
#include <math.h>
#include <stdlib.h>

#include "session.h"

static const char *const names[FV_POOL_COUNT] = {
    "mean", "min", "max", "harmonic_mean", "stddev", "p1", "p5", "p10", "p25", "median",
};

const char *fv_pool_name(FvPool pool)
{
    return (unsigned)pool < FV_POOL_COUNT ? names[pool] : NULL;
}

static double mean(const FvSession *session, int output)
{
    double sum = 0;
    for (int64_t i = 0; i < session->frames; i++)
        sum += fv_session_value(session, i, output);
    return sum / (double)session->frames;
}

/* NaN wins, so that a pooled value never hides one. */
static double extreme(const FvSession *session, int output, bool greatest)
{
    double best = fv_session_value(session, 0, output);
    for (int64_t i = 1; i < session->frames; i++) {
        double value = fv_session_value(session, i, output);
        if (isnan(value))
            return value;
        if (greatest ? value > best : value < best)
            best = value;
    }
    return best;
}

static double harmonic_mean(const FvSession *session, int output)
{
    double sum = 0;
    for (int64_t i = 0; i < session->frames; i++)
        sum += 1 / (1 + fv_session_value(session, i, output));
    return (double)session->frames / sum - 1;
}

static double standard_deviation(const FvSession *session, int output)
{
    double centre = mean(session, output), sum = 0;
    for (int64_t i = 0; i < session->frames; i++) {
        double d = fv_session_value(session, i, output) - centre;
        sum += d * d;
    }
    return sqrt(sum / (double)session->frames);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const FvSession *session, int output, double percent)
{
    double *sorted = malloc((size_t)session->frames * sizeof *sorted);
    if (!sorted)
        return NAN;
    double value = NAN;
    bool ordered = true;
    for (int64_t i = 0; i < session->frames; i++) {
        sorted[i] = fv_session_value(session, i, output);
        ordered &= !isnan(sorted[i]);
    }
    if (ordered) {
        qsort(sorted, (size_t)session->frames, sizeof *sorted, ascending);
        double rank = percent / 100 * (double)(session->frames - 1);
        int64_t below = (int64_t)rank;
        double part = rank - (double)below;
        value = sorted[below];
        if (part > 0 && sorted[below + 1] != value)
            value += part * (sorted[below + 1] - value);
    }
    free(sorted);
    return value;
}

double fv_session_pool(const FvSession *session, int output, FvPool pool)
{
    if (output < 0 || output >= session->column_count || !session->frames)
        return NAN;
    switch (pool) {
    case FV_POOL_MEAN:
        return mean(session, output);
    case FV_POOL_MIN:
        return extreme(session, output, false);
    case FV_POOL_MAX:
        return extreme(session, output, true);
    case FV_POOL_HARMONIC_MEAN:
        return harmonic_mean(session, output);
    case FV_POOL_STDDEV:
        return standard_deviation(session, output);
    case FV_POOL_P1:
        return percentile(session, output, 1);
    case FV_POOL_P5:
        return percentile(session, output, 5);
    case FV_POOL_P10:
        return percentile(session, output, 10);
    case FV_POOL_P25:
        return percentile(session, output, 25);
    case FV_POOL_MEDIAN:
        return percentile(session, output, 50);
    default:
        return NAN;
    }
}

/* Pools per-frame values over a clip or a part of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/dmath.h"
#include "base/error.h"
#include "metric/missing.h"
#include "session/state.h"

static const char *const names[FV_POOL_COUNT] = {
    "mean", "min", "max", "harmonic_mean", "stddev", "p1", "p5", "p10", "p25", "median", "p75", "p90", "p95", "p99",
};

const char *fv_pool_name(FvPool pool)
{
    return (unsigned)pool < FV_POOL_COUNT ? names[pool] : NULL;
}

/* A span of scored frames [first, end). For the column of both fields it contains two fields for each frame. */
typedef struct Span {
    int64_t first, end;
    double limit;  /* value of frames that are equal in both videos, or that the metric's definition clips */
    double counts; /* value that replaces `limit` */
} Span;

static bool has_fields(const FvSession *session, int output)
{
    return session->facts.score.fields && !session->scores.columns[output].field;
}

static double value_at(const FvSession *session, int output, int64_t i)
{
    return has_fields(session, output) ? fv_session_value(session, i / 2, output + 1 + (int)(i % 2))
                                       : fv_session_value(session, i, output);
}

static double value_in_span(const FvSession *session, int output, Span span, int64_t i)
{
    const double value = value_at(session, output, i);
    return value >= span.limit ? span.counts : value;
}

/* Counts the values that are not missing; missing values are left out of every pool. */
static double count_of(const FvSession *session, int output, Span span)
{
    int64_t count = 0;
    for (int64_t i = span.first; i < span.end; i++)
        count += !fv_is_missing(value_in_span(session, output, span, i));
    return (double)count;
}

static double limit_of(const FvSession *session, int output)
{
    const FvColumn *column = &session->scores.columns[output];
    const double limit = session->metrics.count ? session->metrics.run[column->metric].limit : 0;
    return limit > 0 && column->info.unit && !strcmp(column->info.unit, "dB") ? limit : INFINITY;
}

/*
 * Returns the value by which frames that are equal in both videos are pooled: that of the best other frame, or, if
 * better, the decibels of the mean error of all frames. If all frames are equal, it is the limit. Only scores in
 * decibels have a limit.
 */
static double value_of_equals(const FvSession *session, int output, Span span)
{
    double best = -INFINITY, errors = 0;
    bool any = false, others = false;
    for (int64_t i = span.first; i < span.end; i++)
        any |= value_at(session, output, i) >= span.limit;
    for (int64_t i = span.first; i < span.end && any; i++) {
        const double value = value_at(session, output, i);
        if (value >= span.limit || fv_is_missing(value))
            continue;
        others = true;
        best = value > best ? value : best;
        errors += fv_d_pow(10, -value / 10);
    }
    const double whole = others ? -10 * fv_d_log10(errors / count_of(session, output, span)) : span.limit;
    return whole > best ? whole : best;
}

int64_t fv_session_equal_frames(const FvSession *session, int output)
{
    int64_t count = 0;
    const bool there = session && output >= 0 && output < session->scores.column_count;
    for (int64_t i = 0; there && i < session->scores.frames; i++)
        count += fv_session_value(session, i, output) >= limit_of(session, output);
    return count;
}

static double mean(const FvSession *session, int output, Span span)
{
    double sum = 0;
    for (int64_t i = span.first; i < span.end; i++) {
        const double value = value_in_span(session, output, span, i);
        sum += fv_is_missing(value) ? 0 : value;
    }
    return sum / count_of(session, output, span);
}

/* Returns the minimum or maximum; NaN if a value is NaN, so that a pooled value never hides one. */
static double extreme(const FvSession *session, int output, Span span, bool greatest)
{
    double best = fv_missing();
    for (int64_t i = span.first; i < span.end; i++) {
        double value = value_in_span(session, output, span, i);
        if (fv_is_missing(value))
            continue;
        if (isnan(value))
            return value;
        if (isnan(best) || (greatest ? value > best : value < best))
            best = value;
    }
    return best;
}

/* Returns the harmonic mean, computed of 1 + x; NaN if a value is negative. */
static double harmonic_mean(const FvSession *session, int output, Span span)
{
    double sum = 0;
    for (int64_t i = span.first; i < span.end; i++) {
        double value = value_in_span(session, output, span, i);
        if (value < 0)
            return NAN;
        sum += fv_is_missing(value) ? 0 : 1 / (1 + value);
    }
    return count_of(session, output, span) / sum - 1;
}

static double standard_deviation(const FvSession *session, int output, Span span)
{
    double centre = mean(session, output, span), sum = 0;
    for (int64_t i = span.first; i < span.end; i++) {
        double value = value_in_span(session, output, span, i), d = fv_is_missing(value) ? 0 : value - centre;
        sum += d * d;
    }
    return sqrt(sum / count_of(session, output, span));
}

/* Returns the key of a value. Keys have the order of the values, with -0 before 0. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define FEW 64 /* number of keys that are sorted */

static int compare_keys(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/*
 * Returns the value at index `rank` of the sorted values, and sets *above to the next value, or to the same value at
 * the end. Finds its key eight bits at a time, by counting the values that share the bits found so far, until only
 * few values share them. Needs no memory, so pooling cannot fail.
 */
static double ranked(const FvSession *session, int output, Span span, int64_t rank, double *above)
{
    uint64_t key = 0, known = 0; /* the bits of the key found so far, and the mask of these bits */
    int64_t sharing = INT64_MAX; /* number of values that share these bits */
    for (int shift = 56; shift >= 0 && sharing > FEW; shift -= 8) {
        int64_t counts[256] = {0};
        for (int64_t i = span.first; i < span.end; i++) {
            const double value = value_in_span(session, output, span, i);
            uint64_t other = key_of(value);
            if (!fv_is_missing(value) && (other & known) == key)
                counts[other >> shift & 255]++;
        }
        uint64_t digit = 0;
        while (rank >= counts[digit])
            rank -= counts[digit++];
        sharing = counts[digit];
        key |= digit << shift;
        known |= UINT64_C(255) << shift;
    }

    /* More than FEW values share all bits only if they are equal. */
    uint64_t few[FEW], next = UINT64_MAX; /* the least key above those that share the bits */
    int count = 0;
    for (int64_t i = span.first; i < span.end; i++) {
        const double value = value_in_span(session, output, span, i);
        const uint64_t other = key_of(value);
        if (fv_is_missing(value))
            continue;
        if ((other & known) == key && count < FEW)
            few[count++] = other;
        else if ((other & known) > key && other < next)
            next = other;
    }
    qsort(few, (size_t)count, sizeof *few, compare_keys);
    const uint64_t found = few[rank < count ? rank : count - 1];
    const uint64_t after = rank + 1 < count ? few[rank + 1] : rank + 1 < sharing ? found : next;
    *above = value_of(after == UINT64_MAX ? found : after);
    return value_of(found);
}

static double percentile(const FvSession *session, int output, Span span, double percent)
{
    double above;
    const double count = count_of(session, output, span);
    for (int64_t i = span.first; i < span.end; i++)
        if (isnan(value_in_span(session, output, span, i)) && !fv_is_missing(value_in_span(session, output, span, i)))
            return NAN;
    if (count == 0)
        return NAN;
    const double rank = percent / 100 * (count - 1);
    const int64_t below = (int64_t)rank;
    const double part = rank - (double)below, value = ranked(session, output, span, below, &above);
    return part > 0 && above != value ? value + part * (above - value) : value;
}

static const double percents[] = {
    [FV_POOL_P1] = 1,   [FV_POOL_P5] = 5,   [FV_POOL_P10] = 10, [FV_POOL_P25] = 25, [FV_POOL_MEDIAN] = 50,
    [FV_POOL_P75] = 75, [FV_POOL_P90] = 90, [FV_POOL_P95] = 95, [FV_POOL_P99] = 99,
};

static double pool_span(const FvSession *session, int output, FvPool pool, Span span)
{
    if (output < 0 || output >= session->scores.column_count || span.first >= span.end)
        return NAN;
    if (has_fields(session, output))
        span = (Span){2 * span.first, 2 * span.end, INFINITY, 0};
    span.limit = limit_of(session, output);
    span.counts = value_of_equals(session, output, span);
    switch (pool) {
    case FV_POOL_MEAN:
        return mean(session, output, span);
    case FV_POOL_MIN:
        return extreme(session, output, span, false);
    case FV_POOL_MAX:
        return extreme(session, output, span, true);
    case FV_POOL_HARMONIC_MEAN:
        return harmonic_mean(session, output, span);
    case FV_POOL_STDDEV:
        return standard_deviation(session, output, span);
    default:
        return (unsigned)pool < sizeof percents / sizeof *percents && percents[pool] > 0
                   ? percentile(session, output, span, percents[pool])
                   : NAN;
    }
}

double fv_session_pool(const FvSession *session, int output, FvPool pool)
{
    FV_FLOAT_MODE;
    return session ? pool_span(session, output, pool, (Span){0, session->scores.frames, INFINITY, 0}) : NAN;
}

double fv_session_pool_part(const FvSession *session, int output, FvPool pool, const FvPart *part)
{
    FV_FLOAT_MODE;
    if (!session || !part || part->first < 0 || part->count < 0 || part->count > session->scores.frames - part->first)
        return NAN;
    return pool_span(session, output, pool, (Span){part->first, part->first + part->count, INFINITY, 0});
}

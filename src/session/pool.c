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

#define FEW 64 /* number of values that are sorted, and not copied */

/*
 * The values of a column for the scored frames [first, end). For the column of both fields it contains two fields for
 * each frame. Missing values are left out of every pool.
 */
typedef struct Span {
    const FvSession *session;
    int output;
    int64_t first, end;
    double limit;         /* value of frames that are equal in both videos, or that the metric's definition clips */
    double counts;        /* value that replaces `limit` */
    double there;         /* number of values that are not missing */
    bool undefined;       /* one of these is NaN */
    uint64_t least, most; /* keys of the extremes of these values */
    double *copy;         /* the values side by side, which are read faster; NULL: few, or memory ran out */
} Span;

static bool has_fields(const FvSession *session, int output)
{
    return session->facts.score.fields && !session->scores.columns[output].field;
}

static double value_at(const Span *span, int64_t i)
{
    return has_fields(span->session, span->output)
               ? fv_session_value(span->session, i / 2, span->output + 1 + (int)(i % 2))
               : fv_session_value(span->session, i, span->output);
}

static double value_in_span(const Span *span, int64_t i)
{
    if (span->copy)
        return span->copy[i - span->first];
    const double value = value_at(span, i);
    return value >= span->limit ? span->counts : value;
}

static double limit_of(const FvSession *session, int output)
{
    const FvColumn *column = &session->scores.columns[output];
    const double limit = session->metrics.count ? session->metrics.run[column->metric].limit : 0;
    return limit > 0 && column->info.unit && !strcmp(column->info.unit, "dB") ? limit : INFINITY;
}

/*
 * Sets the value by which frames that are equal in both videos are pooled: that of the best other frame, or, if
 * better, the decibels of the mean error of all frames. If all frames are equal, it is the limit. Only scores in
 * decibels have a limit.
 */
static void find_counts(Span *span)
{
    double best = -INFINITY, errors = 0;
    bool others = false;
    for (int64_t i = span->first; i < span->end; i++) {
        const double value = value_at(span, i);
        if (value >= span->limit || fv_is_missing(value))
            continue;
        others = true;
        best = value > best ? value : best;
        errors += fv_d_pow(10, -value / 10);
    }
    const double whole = others ? -10 * fv_d_log10(errors / span->there) : span->limit;
    span->counts = whole > best ? whole : best;
}

/* Returns the key of a value. Keys have the order of the values, with -0 before 0. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Opens a span of scored frames. Without memory for the copy pools only take longer, so pooling cannot fail. */
static Span open_span(const FvSession *session, int output, int64_t first, int64_t end)
{
    const int fields = has_fields(session, output) ? 2 : 1;
    Span span = {.session = session,
                 .output = output,
                 .first = fields * first,
                 .end = fields * end,
                 .limit = limit_of(session, output),
                 .least = UINT64_MAX};
    bool equal = false;
    for (int64_t i = span.first; i < span.end; i++) {
        const double value = value_at(&span, i);
        equal |= value >= span.limit;
        span.undefined |= isnan(value) && !fv_is_missing(value);
        span.there += !fv_is_missing(value);
    }
    if (equal)
        find_counts(&span);
    const int64_t count = span.end - span.first;
    double *copy = count > FEW ? malloc((size_t)count * sizeof *copy) : NULL;
    for (int64_t i = span.first; i < span.end; i++) {
        const double value = value_in_span(&span, i);
        const uint64_t key = key_of(value);
        if (copy)
            copy[i - span.first] = value;
        if (fv_is_missing(value))
            continue;
        span.least = key < span.least ? key : span.least;
        span.most = key > span.most ? key : span.most;
    }
    span.copy = copy;
    return span;
}

static void close_span(Span *span)
{
    free(span->copy);
}

int64_t fv_session_equal_frames(const FvSession *session, int output)
{
    int64_t count = 0;
    const bool there = session && output >= 0 && output < session->scores.column_count;
    const double limit = there ? limit_of(session, output) : 0;
    for (int64_t i = 0; there && i < session->scores.frames; i++)
        count += fv_session_value(session, i, output) >= limit;
    return count;
}

static double mean(const Span *span)
{
    double sum = 0;
    for (int64_t i = span->first; i < span->end; i++) {
        const double value = value_in_span(span, i);
        sum += fv_is_missing(value) ? 0 : value;
    }
    return sum / span->there;
}

/* Returns the minimum or maximum; NaN if a value is NaN, so that a pooled value never hides one. */
static double extreme(const Span *span, bool greatest)
{
    double best = fv_missing();
    for (int64_t i = span->first; i < span->end; i++) {
        double value = value_in_span(span, i);
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
static double harmonic_mean(const Span *span)
{
    double sum = 0;
    for (int64_t i = span->first; i < span->end; i++) {
        double value = value_in_span(span, i);
        if (value < 0)
            return NAN;
        sum += fv_is_missing(value) ? 0 : 1 / (1 + value);
    }
    return span->there / sum - 1;
}

static double standard_deviation(const Span *span)
{
    double centre = mean(span), sum = 0;
    for (int64_t i = span->first; i < span->end; i++) {
        double value = value_in_span(span, i), d = fv_is_missing(value) ? 0 : value - centre;
        sum += d * d;
    }
    return sqrt(sum / span->there);
}

static double value_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int compare_keys(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/*
 * Returns the value at index `rank` of the sorted values, and sets *above to the next value, or to the same value at
 * the end. Finds the bits of its key that differ among the values, eight at a time, by counting the values that share
 * the bits found so far, until only few values share them. Needs no memory.
 */
static double ranked(const Span *span, int64_t rank, double *above)
{
    int left = 0; /* number of low bits of the key that are not found */
    while (left < 64 && (span->least ^ span->most) >> left)
        left++;
    uint64_t known = left < 64 ? UINT64_MAX << left : 0; /* the mask of the bits of the key found so far */
    uint64_t key = span->least & known;
    int64_t sharing = INT64_MAX; /* number of values that share these bits */
    while (left > 0 && sharing > FEW) {
        const int shift = left > 8 ? left - 8 : 0;
        int64_t counts[256] = {0};
        const uint64_t digits = (UINT64_C(1) << (left - shift)) - 1;
        for (int64_t i = span->first; i < span->end; i++) {
            const double value = value_in_span(span, i);
            uint64_t other = key_of(value);
            if (!fv_is_missing(value) && (other & known) == key)
                counts[other >> shift & digits]++;
        }
        uint64_t digit = 0;
        while (rank >= counts[digit])
            rank -= counts[digit++];
        sharing = counts[digit];
        key |= digit << shift;
        known |= digits << shift;
        left = shift;
    }

    /* More than FEW values share all bits only if they are equal. */
    uint64_t few[FEW], next = UINT64_MAX; /* the least key above those that share the bits */
    int count = 0;
    for (int64_t i = span->first; i < span->end; i++) {
        const double value = value_in_span(span, i);
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

static double percentile(const Span *span, double percent)
{
    double above;
    const double count = span->there;
    if (count == 0 || span->undefined)
        return NAN;
    const double rank = percent / 100 * (count - 1);
    const int64_t below = (int64_t)rank;
    const double part = rank - (double)below, value = ranked(span, below, &above);
    return part > 0 && above != value ? value + part * (above - value) : value;
}

static const double percents[] = {
    [FV_POOL_P1] = 1,   [FV_POOL_P5] = 5,   [FV_POOL_P10] = 10, [FV_POOL_P25] = 25, [FV_POOL_MEDIAN] = 50,
    [FV_POOL_P75] = 75, [FV_POOL_P90] = 90, [FV_POOL_P95] = 95, [FV_POOL_P99] = 99,
};

static double pool_span(const Span *span, FvPool pool)
{
    switch (pool) {
    case FV_POOL_MEAN:
        return mean(span);
    case FV_POOL_MIN:
        return extreme(span, false);
    case FV_POOL_MAX:
        return extreme(span, true);
    case FV_POOL_HARMONIC_MEAN:
        return harmonic_mean(span);
    case FV_POOL_STDDEV:
        return standard_deviation(span);
    default:
        return (unsigned)pool < sizeof percents / sizeof *percents && percents[pool] > 0
                   ? percentile(span, percents[pool])
                   : NAN;
    }
}

/* Pools an output over a part; pools[i] gets pool first + i. */
static void pool_part(const FvSession *session, int output, const FvPart *part, FvPool first, int count,
                      double *pools)
{
    const bool there = session && output >= 0 && output < session->scores.column_count && part && part->first >= 0 &&
                       part->count > 0 && part->count <= session->scores.frames - part->first;
    Span span = {0};
    if (there)
        span = open_span(session, output, part->first, part->first + part->count);
    for (int i = 0; i < count; i++)
        pools[i] = there ? pool_span(&span, first + i) : NAN;
    close_span(&span);
}

double fv_session_pool(const FvSession *session, int output, FvPool pool)
{
    FV_FLOAT_MODE;
    return fv_session_pool_part(session, output, pool, &(FvPart){0, fv_session_frames(session), 0});
}

double fv_session_pool_part(const FvSession *session, int output, FvPool pool, const FvPart *part)
{
    FV_FLOAT_MODE;
    double value;
    pool_part(session, output, part, pool, 1, &value);
    return value;
}

void fv_session_pools(const FvSession *session, int output, const FvPart *part, double pools[FV_POOL_COUNT])
{
    FV_FLOAT_MODE;
    pool_part(session, output, part, 0, FV_POOL_COUNT, pools);
}

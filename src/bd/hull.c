/* The convex hull of encodes of several resolutions, by Andrew's monotone chain (1979). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arith/exact.h"
#include "base/error.h"
#include "fovea/fovea.h"

#define PIECES 8 /* number of pieces of the line between two encodes of one resolution */

/* Rounds correctly to six decimals, as if the value were read from a table with six decimals. */
static double rounded(double value)
{
    char text[400];
    snprintf(text, sizeof text, "%.6f", value);
    return strtod(text, NULL);
}

/* Orders encodes by resolution, then by falling rate. */
static int compare_encodes(const void *a, const void *b)
{
    const FvBdPoint *p = a, *q = b;
    if (p->resolution != q->resolution)
        return p->resolution < q->resolution ? -1 : 1;
    if (p->rate != q->rate)
        return p->rate > q->rate ? -1 : 1;
    return (p->quality < q->quality) - (p->quality > q->quality);
}

/* Orders points by falling rate, then by falling quality. */
static int compare_rates(const void *a, const void *b)
{
    const FvBdPoint *p = a, *q = b;
    if (p->rate != q->rate)
        return p->rate > q->rate ? -1 : 1;
    return (p->quality < q->quality) - (p->quality > q->quality);
}

/*
 * Writes the encodes and the points interpolated between them to `out`, which has room for PIECES * count. Returns
 * how many.
 */
static int interpolate(FvBdPoint *out, const FvBdPoint *encodes, int count, double sense)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const FvBdPoint *one = &encodes[i], *next = one + 1;
        const bool pair = i + 1 < count && next->resolution == one->resolution;
        const double l1 = fv_log10_exact(one->rate), step = pair ? (fv_log10_exact(next->rate) - l1) / PIECES : 0;
        const double rise = pair ? (next->quality - one->quality) / PIECES : 0;
        for (int j = 0; j < (pair ? PIECES : 1); j++)
            out[made++] = (FvBdPoint){.rate = rounded(pair ? fv_pow_exact(10, l1 + j * step) : one->rate),
                                      .quality = sense * rounded(one->quality + j * rise),
                                      .resolution = one->resolution};
    }
    return made;
}

/* Reduces points, sorted by falling rate, to the corners of their upper hull. Returns how many remain. */
static int keep_corners(FvBdPoint *points, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const FvBdPoint b = points[i];
        if (i && points[i - 1].rate == b.rate && points[i - 1].quality == b.quality)
            continue;
        while (kept >= 2) {
            const FvBdPoint o = points[kept - 2], a = points[kept - 1];
            if ((a.rate - o.rate) * (b.quality - o.quality) - (a.quality - o.quality) * (b.rate - o.rate) > 0)
                break;
            kept--;
        }
        points[kept++] = b;
    }
    return kept;
}

FvStatus fv_bd_hull(const FvBdPoint *points, int count, FvBetter better, FvBdPoint **hull, int *hull_count,
                    FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, points);
    FV_REQUIRE(error, hull);
    FV_REQUIRE(error, hull_count);
    *hull = NULL;
    *hull_count = 0;
    if (count < 1 || count > 1 << 20 || (better != FV_HIGHER_IS_BETTER && better != FV_LOWER_IS_BETTER))
        return fv_fail(error, FV_ERROR_USAGE,
                       "a hull needs 1 to 1048576 points, and a score of which higher or lower values are better");
    for (int i = 0; i < count; i++)
        if (!isfinite(points[i].rate) || points[i].rate <= 0 || !isfinite(points[i].quality))
            return fv_fail(error, FV_ERROR_INPUT,
                           "point %d has a rate of %g and a quality of %g; a hull needs finite "
                           "ones, and a rate above 0",
                           i + 1, points[i].rate, points[i].quality);
    FvBdPoint *encodes = calloc((size_t)count, sizeof *encodes);
    FvBdPoint *all = calloc((size_t)count * PIECES, sizeof *all);
    if (!encodes || !all) {
        free(encodes);
        free(all);
        return fv_fail_memory(error, (size_t)count * (PIECES + 1) * sizeof *all);
    }
    for (int i = 0; i < count; i++)
        encodes[i] = points[i];
    qsort(encodes, (size_t)count, sizeof *encodes, compare_encodes);
    const double sense = better == FV_HIGHER_IS_BETTER ? 1 : -1;
    int made = interpolate(all, encodes, count, sense);
    free(encodes);
    qsort(all, (size_t)made, sizeof *all, compare_rates);
    made = keep_corners(all, made);
    /* Drops the highest rates while they do not improve quality, and all but the better point at the lowest rate. */
    int first = 0;
    while (made - first >= 2 && all[first].quality <= all[first + 1].quality)
        first++;
    while (made - first >= 2 && all[made - 1].rate == all[made - 2].rate)
        made--;
    for (int i = first, j = made - 1; i < j; i++, j--) {
        const FvBdPoint point = all[i];
        all[i] = all[j];
        all[j] = point;
    }
    *hull_count = made - first;
    for (int i = 0; i < *hull_count; i++) {
        all[i] = all[first + i];
        all[i].quality *= sense;
    }
    *hull = all;
    return FV_OK;
}

void fv_bd_free_hull(FvBdPoint **hull)
{
    if (hull) {
        free(*hull);
        *hull = NULL;
    }
}

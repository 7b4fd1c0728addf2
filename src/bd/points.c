#include "bd/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void fv_bd_points_close(FvBdPoints *points)
{
    free(points->kept);
    free(points->dropped);
    *points = (FvBdPoints){0};
}

static void drop(FvBdPoints *points, FvBdPoint point, FvBdDrop why)
{
    points->dropped[points->dropped_count++] = (FvBdDropped){point, why};
}

static double goodness(const FvBdPoint *point, FvBetter better)
{
    return better == FV_HIGHER_IS_BETTER ? point->quality : -point->quality;
}

/* Orders points by ascending rate; at equal rates the better quality comes first. */
static bool is_before(const FvBdPoint *a, const FvBdPoint *b, FvBetter better)
{
    return a->rate < b->rate || (a->rate == b->rate && goodness(a, better) > goodness(b, better));
}

/* Checks the points and sorts them into points->kept, without those of infinite quality. */
static FvBdRefusal sort(FvBdPoints *points, const FvBdPoint *given, int count, FvBetter better, char *reason,
                        size_t size)
{
    for (int i = 0; i < count; i++) {
        const FvBdPoint *point = &given[i];
        if (!(isfinite(point->rate) && point->rate > 0)) {
            snprintf(reason, size, "point %d has a rate of %g; a rate is positive and finite", i + 1, point->rate);
            return FV_BD_RATE;
        }
        if (isnan(point->quality) || goodness(point, better) == -INFINITY) {
            snprintf(reason, size, "point %d has a quality of %g", i + 1, point->quality);
            return FV_BD_QUALITY;
        }
        if (isinf(point->quality)) {
            drop(points, *point, FV_BD_INFINITE);
            continue;
        }
        int place = points->count++;
        for (; place > 0 && is_before(point, &points->kept[place - 1], better); place--)
            points->kept[place] = points->kept[place - 1];
        points->kept[place] = *point;
    }
    return FV_BD_ACCEPTED;
}

static void drop_duplicates(FvBdPoints *points)
{
    int unique = 0;
    for (int i = 0; i < points->count; i++) {
        const FvBdPoint point = points->kept[i];
        const FvBdPoint *last = unique ? &points->kept[unique - 1] : NULL;
        if (last && last->rate == point.rate && last->quality == point.quality)
            drop(points, point, FV_BD_DUPLICATE);
        else
            points->kept[unique++] = point;
    }
    points->count = unique;
}

/* Ends the curve before the first fall from a saturated score, because such a fall says nothing about the video. */
static void drop_saturated(FvBdPoints *points, const FvBdParams *params)
{
    if (params->saturated == 0)
        return;
    const double limit = params->better == FV_HIGHER_IS_BETTER ? params->saturated : -params->saturated;
    int end = 1;
    while (end < points->count &&
           !(goodness(&points->kept[end], params->better) < goodness(&points->kept[end - 1], params->better) &&
             goodness(&points->kept[end - 1], params->better) >= limit))
        end++;
    for (int i = end; i < points->count; i++)
        drop(points, points->kept[i], FV_BD_SATURATED);
    if (points->count > end)
        points->count = end;
}

/* Keeps the points that are better than all points of lower rate. */
static FvBdRefusal keep_rising(FvBdPoints *points, const FvBdParams *params, char *reason, size_t size)
{
    int kept = 0;
    for (int i = 0; i < points->count; i++) {
        const FvBdPoint point = points->kept[i];
        const FvBdPoint *last = kept ? &points->kept[kept - 1] : NULL;
        const double gain = last ? goodness(&point, params->better) - goodness(last, params->better) : 1;
        if (gain > 0 && (!last || last->rate != point.rate)) {
            points->kept[kept++] = point;
        } else if (gain == 0 && point.rate > last->rate) {
            drop(points, point, FV_BD_EQUAL_QUALITY);
        } else if (params->drop_dominated) {
            drop(points, point, FV_BD_DOMINATED);
        } else {
            snprintf(reason, size, "the quality is %g at a rate of %g, and worse, %g, at a rate of %g", last->quality,
                     last->rate, point.quality, point.rate);
            return FV_BD_NOT_MONOTONIC;
        }
    }
    points->count = kept;
    return FV_BD_ACCEPTED;
}

FvStatus fv_bd_points_open(FvBdPoints *points, const FvBdPoint *given, int count, const FvBdParams *params,
                           FvBdRefusal *refusal, char *reason, size_t size, FvError *error)
{
    int least = params->least_points ? params->least_points : 4;
    if (params->method == FV_BD_CUBIC && least < 4)
        least = 4;
    *points = (FvBdPoints){.kept = calloc((size_t)count, sizeof *points->kept),
                           .dropped = calloc((size_t)count, sizeof *points->dropped)};
    if (!points->kept || !points->dropped)
        return fv_fail_memory(error, (size_t)count * (sizeof *points->kept + sizeof *points->dropped));
    *refusal = sort(points, given, count, params->better, reason, size);
    if (*refusal)
        return FV_OK;
    drop_duplicates(points);
    drop_saturated(points, params);
    *refusal = keep_rising(points, params, reason, size);
    if (!*refusal && points->count < least) {
        snprintf(reason, size, "%d of %d points are left, and %d are needed", points->count, count, least);
        *refusal = FV_BD_FEW_POINTS;
    }
    return FV_OK;
}

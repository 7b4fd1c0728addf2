#include "align/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define BIG (INT64_C(1) << 50)

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t fv_align_median(int64_t *values, int count)
{
    if (!count)
        return 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(count - 1) / 2];
}

static const int32_t *signature(const FvAlignVideo *video, int64_t frame)
{
    return video->signatures + frame * FV_SIGNATURE;
}

static void measure_path(FvAlignPath *path, const FvAlignVideo *reference, const FvAlignVideo *distorted)
{
    for (int j = 0; j < path->count; j++)
        for (int place = 0; place < path->width; place++) {
            const int64_t i = path->bases[j] + place - path->reach;
            path->distance[(ptrdiff_t)j * path->width + place] =
                i < 0 || i >= reference->frames
                    ? -1
                    : fv_signature_distance(signature(reference, i), signature(distorted, j));
        }
}

static FvStatus find_noise(FvAlignPath *path, FvError *error)
{
    int64_t *least = fv_alloc((size_t)path->count * sizeof *least);
    int count = 0;
    if (!least)
        return fv_fail_memory(error, (size_t)path->count * sizeof *least);
    for (int j = 0; j < path->count; j++) {
        const int32_t *row = path->distance + (ptrdiff_t)j * path->width;
        int64_t best = BIG;
        for (int place = 0; place < path->width; place++)
            best = row[place] >= 0 && row[place] < best ? row[place] : best;
        if (best < BIG)
            least[count++] = best;
    }
    path->noise = fv_align_median(least, count);
    path->price = 2 * path->noise + FV_SIGNATURE_QUIET;
    fv_free(least);
    return FV_OK;
}

static int64_t cost_of(const FvAlignPath *path, int j, int place)
{
    const int32_t distance = path->distance[(ptrdiff_t)j * path->width + place];
    return distance < 0 ? path->price : distance;
}

/*
 * Finds the cheapest path to each place. Staying in place is free. A drop moves to any later place, a repeat to the
 * place before; both cost path->price.
 */
static void sweep(FvAlignPath *path)
{
    const int width = path->width;
    for (int place = 0; place < width; place++)
        path->total[place] = cost_of(path, 0, place);
    for (int j = 1; j < path->count; j++) {
        const int64_t *before = path->total + (ptrdiff_t)(j - 1) * width;
        int64_t *total = path->total + (ptrdiff_t)j * width, low = BIG;
        int32_t *came = path->came + (ptrdiff_t)j * width, lowest = 0;
        for (int place = 0; place < width; place++) {
            int64_t best = before[place];
            came[place] = place;
            if (low + path->price < best) {
                best = low + path->price;
                came[place] = lowest;
            }
            if (place + 1 < width && before[place + 1] + path->price < best) {
                best = before[place + 1] + path->price;
                came[place] = place + 1;
            }
            total[place] = best + cost_of(path, j, place);
            if (before[place] < low) {
                low = before[place];
                lowest = place;
            }
        }
    }
}

static void trace_back(FvAlignPath *path)
{
    const int64_t *last = path->total + (ptrdiff_t)(path->count - 1) * path->width;
    int place = 0;
    for (int other = 1; other < path->width; other++)
        place = last[other] < last[place] ? other : place;
    path->least = last[place];
    for (int j = path->count - 1; j >= 0; j--) {
        path->path[j] = place;
        place = path->came[(ptrdiff_t)j * path->width + place];
    }
}

FvStatus fv_align_path_open(FvAlignPath *path, const FvAlignVideo *reference, const FvAlignVideo *distorted, int base,
                            int64_t rate_num, int64_t rate_den, int reach, FvError *error)
{
    const int width = 2 * reach + 1, count = distorted->frames;
    const size_t places = (size_t)count * (size_t)width;
    *path = (FvAlignPath){.base = base, .count = count, .reach = reach, .width = width};
    path->bases = fv_alloc((size_t)count * sizeof *path->bases);
    path->path = fv_alloc((size_t)count * sizeof *path->path);
    path->distance = fv_alloc(places * sizeof *path->distance);
    path->came = fv_alloc_zero(places * sizeof *path->came);
    path->total = fv_alloc(places * sizeof *path->total);
    if (!path->bases || !path->path || !path->distance || !path->came || !path->total)
        return fv_fail_memory(error, places * 16);
    for (int64_t j = 0; j < count; j++)
        path->bases[j] = base ? (8 * j * rate_num + (base - 1) * rate_den) / (8 * rate_den) : j;
    measure_path(path, reference, distorted);
    FvStatus status = find_noise(path, error);
    if (status)
        return status;
    sweep(path);
    trace_back(path);
    return FV_OK;
}

void fv_align_path_close(FvAlignPath *path)
{
    fv_free(path->bases);
    fv_free(path->path);
    fv_free(path->distance);
    fv_free(path->came);
    fv_free(path->total);
    *path = (FvAlignPath){0};
}

/*
 * Computes in `rest`, for each place in row j - 1, the least cost of all later rows. next: the least cost of rows j
 * and later for each place in row j.
 */
static void step_back(const FvAlignPath *path, const int64_t *next, int64_t *rest)
{
    int64_t later = BIG; /* the least cost of the later places */
    for (int place = path->width - 1; place >= 0; place--) {
        int64_t best = next[place];
        best = later + path->price < best ? later + path->price : best;
        if (place && next[place - 1] + path->price < best)
            best = next[place - 1] + path->price;
        later = next[place] < later ? next[place] : later;
        rest[place] = best;
    }
}

FvStatus fv_align_certain(const FvAlignPath *path, int *certain, int64_t *least_gap, FvError *error)
{
    const size_t bytes = (size_t)path->width * sizeof(int64_t);
    int64_t *rest = fv_alloc_zero(2 * bytes), *next = rest + path->width;
    *certain = 0;
    *least_gap = BIG;
    if (!rest)
        return fv_fail_memory(error, 2 * bytes);
    for (int j = path->count - 1; j >= 0; j--) {
        int64_t least = BIG;
        for (int place = 0; place < path->width; place++) {
            const int64_t through = path->total[(ptrdiff_t)j * path->width + place] + rest[place];
            if (place != path->path[j] && through < least)
                least = through;
        }
        if (fv_align_distance(path, j) >= 0) {
            const int64_t gap = least - path->least;
            *certain += gap >= path->price;
            *least_gap = gap < *least_gap ? gap : *least_gap;
        }
        for (int place = 0; place < path->width; place++)
            next[place] = rest[place] + cost_of(path, j, place);
        step_back(path, next, rest);
    }
    fv_free(rest);
    return FV_OK;
}

/* Counts the rows of [first, end) in which place a is nearer than place b, and those in which it is farther. */
static void duel(const FvAlignPath *path, int a, int b, int first, int end, int64_t *nearer, int64_t *farther)
{
    *nearer = *farther = 0;
    for (int j = first; j < end; j++) {
        const int32_t *row = path->distance + (ptrdiff_t)j * path->width;
        if (row[a] < 0 || row[b] < 0)
            continue;
        *nearer += row[a] < row[b];
        *farther += row[a] > row[b];
    }
}

static bool beats_all(const FvAlignPath *path, int best, const bool *enough)
{
    int64_t nearer, farther;
    for (int e = 0; e < path->width; e++) {
        if (!enough[e] || e == best)
            continue;
        duel(path, best, e, 0, path->count, &nearer, &farther);
        if (nearer <= farther || (nearer - farther) * (nearer - farther) < 16 * (nearer + farther))
            return false;
    }
    for (int k = 0; k < 4; k++)
        for (int e = 0; e < path->width; e++) {
            if (!enough[e])
                continue;
            duel(path, best, e, (int)((int64_t)k * path->count / 4), (int)((int64_t)(k + 1) * path->count / 4),
                 &nearer, &farther);
            if (farther > nearer && (farther - nearer) * (farther - nearer) >= 9 * (nearer + farther))
                return false;
        }
    return true;
}

FvStatus fv_align_steady(const FvAlignPath *path, int *place, FvError *error)
{
    bool *enough = fv_alloc_zero((size_t)path->width * sizeof *enough);
    int64_t best_sum = 0, best_count = 0;
    int best = -1;
    *place = -1;
    if (!enough)
        return fv_fail_memory(error, (size_t)path->width);
    for (int e = 0; e < path->width; e++) {
        int64_t sum = 0, count = 0;
        for (int j = 0; j < path->count; j++) {
            const int32_t distance = path->distance[(ptrdiff_t)j * path->width + e];
            sum += distance >= 0 ? distance : 0;
            count += distance >= 0;
        }
        enough[e] = 4 * count >= path->count && count >= 8;
        if (enough[e] && (best < 0 || sum * best_count < best_sum * count)) {
            best = e;
            best_sum = sum;
            best_count = count;
        }
    }
    if (best >= 0 && beats_all(path, best, enough))
        *place = best;
    fv_free(enough);
    return FV_OK;
}

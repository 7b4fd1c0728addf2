#include "align/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/divide.h"
#include "base/error.h"
#include "os/memory.h"

#define LEAST_REACH 60
#define MOST_PLACES (16 << 20) /* maximum number of distances in memory */

typedef struct Search {
    FvAlignment *result;
    const FvAlignVideo *reference;
    FvAlignVideo *distorted;
    const FvAlignParams *params;
    FvAlignPath path; /* the cheapest path */
    int64_t *values;  /* memory for one number per distorted frame, to find medians */
    int reach;
} Search;

static const int32_t *reference_at(const Search *search, int64_t frame)
{
    return search->reference->signatures + frame * FV_SIGNATURE;
}

static int32_t *distorted_at(const Search *search, int64_t frame)
{
    return search->distorted->signatures + frame * FV_SIGNATURE;
}

static bool is_inside(const Search *search, int j)
{
    return fv_align_distance(&search->path, j) >= 0;
}

/* Finds the base (FvAlignPath) with the cheapest path; of equally cheap ones, the first. */
static FvStatus find_best(Search *search, FvError *error)
{
    const FvAlignParams *params = search->params;
    const int bases = params->rate_den && params->rate_num != params->rate_den ? FV_ALIGN_BASES : 1;
    FvStatus status = FV_OK;
    fv_align_path_close(&search->path);
    for (int base = 0; base < bases && !status; base++) {
        FvAlignPath path;
        status = fv_align_path_open(&path, search->reference, search->distorted, base, params->rate_num,
                                    params->rate_den, search->reach, error);
        if (!status && (!base || path.least < search->path.least)) {
            FvAlignPath worse = search->path;
            search->path = path;
            path = worse;
        }
        fv_align_path_close(&path);
    }
    return status;
}

/* Removes the difference that all pairs share (gain, a logo, noise), because it does not help to find pairs. */
static void remove_bias(Search *search)
{
    int64_t sum[FV_SIGNATURE] = {0};
    int count = 0;
    for (int j = 0; j < search->path.count; j++) {
        const int64_t pair = fv_align_pair(&search->path, j);
        if (pair < 0 || pair >= search->reference->frames)
            continue;
        for (int c = 0; c < FV_SIGNATURE; c++)
            sum[c] += distorted_at(search, j)[c] - reference_at(search, pair)[c];
        count++;
    }
    for (int j = 0; count && j < search->path.count; j++)
        for (int c = 0; c < FV_SIGNATURE; c++)
            distorted_at(search, j)[c] -= (int32_t)fv_floor_div(sum[c], count);
}

static int count_inside(Search *search)
{
    int count = 0;
    for (int j = 0; j < search->path.count; j++)
        count += is_inside(search, j);
    return search->result->matched = count;
}

static FvStatus refuse(Search *search, const char *why)
{
    search->result->answer = FV_ALIGN_REFUSED;
    search->result->why = why;
    return FV_OK;
}

static int64_t median_inside(Search *search, bool far)
{
    const int frames = search->reference->frames;
    int count = 0;
    for (int j = 0; j < search->path.count; j++)
        if (is_inside(search, j))
            search->values[count++] =
                far ? fv_signature_distance(
                          reference_at(search, (fv_align_pair(&search->path, j) + frames / 2) % frames),
                          distorted_at(search, j))
                    : fv_align_distance(&search->path, j);
    return fv_align_median(search->values, count);
}

/* Counts distorted frames that mix two reference frames: a field of each, or a blend. */
static int count_mixed(const Search *search)
{
    const int64_t price = search->path.price;
    int mixed = 0;
    for (int j = 0; j < search->path.count; j++) {
        const int64_t pair = fv_align_pair(&search->path, j), x = fv_align_distance(&search->path, j);
        if (x < 0 || pair + 1 >= search->reference->frames)
            continue;
        const int64_t step = fv_signature_distance(reference_at(search, pair), reference_at(search, pair + 1));
        mixed += x > price && 4 * x > step && step > 2 * price;
    }
    return mixed;
}

static FvStatus list_events(Search *search, FvError *error)
{
    FvAlignment *result = search->result;
    const int *path = search->path.path;
    result->events = fv_alloc((size_t)search->path.count * sizeof *result->events);
    if (!result->events)
        return fv_fail_memory(error, (size_t)search->path.count * sizeof *result->events);
    for (int j = 1; j < search->path.count; j++)
        if (path[j] != path[j - 1] && (is_inside(search, j) || is_inside(search, j - 1)))
            result->events[result->event_count++] = (FvAlignEvent){j, path[j] - path[j - 1]};
    return FV_OK;
}

/* ---- Exact comparison ------------------------------------------------------------------------------------------ */

#define FIRST 5     /* number of checked frames that are spread over the entire video */
#define PARTS 40    /* maximum number of parts of the video */
#define OF_A_PART 3 /* number of checked frames in each part */
#define MOST_CHECKS (2 * FIRST + OF_A_PART * PARTS)

typedef struct Exact {
    int32_t *motion; /* motion at the reference frame of each distorted frame; -1: unusable frame */
    int first[FIRST], first_count;
    int part[PARTS][OF_A_PART], part_count, parts;
    FvAlignCheck checks[MOST_CHECKS];
    int check_count;
} Exact;

static void measure_motion(const Search *search, Exact *exact)
{
    for (int j = 0; j < search->path.count; j++) {
        const int64_t pair = fv_align_pair(&search->path, j);
        exact->motion[j] = -1;
        if (!is_inside(search, j) || pair < 2 || pair >= search->reference->frames - 2)
            continue;
        const int32_t *here = reference_at(search, pair);
        const int32_t before = fv_signature_distance(here, reference_at(search, pair - 1));
        const int32_t after = fv_signature_distance(here, reference_at(search, pair + 1));
        exact->motion[j] = before < after ? before : after;
    }
}

/* Picks the frames of [begin, end) with the most motion, at least `apart` frames from each other. */
static int pick(const Exact *exact, int begin, int end, int most, int apart, int *chosen)
{
    int count = 0;
    while (count < most) {
        int best = -1;
        for (int j = begin; j < end; j++) {
            bool free = exact->motion[j] >= 0 && (best < 0 || exact->motion[j] > exact->motion[best]);
            for (int k = 0; k < count && free; k++)
                free = abs(j - chosen[k]) >= apart;
            best = free ? j : best;
        }
        if (best < 0)
            break;
        chosen[count++] = best;
    }
    return count;
}

static void add_check(const Search *search, Exact *exact, int j)
{
    for (int i = 0; i < exact->check_count; i++)
        if (exact->checks[i].frame == j)
            return;
    if (exact->check_count < MOST_CHECKS)
        exact->checks[exact->check_count++] = (FvAlignCheck){.frame = j, .pair = fv_align_pair(&search->path, j)};
}

typedef struct Part {
    int begin, end, usable;
} Part;

static int compare_parts(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    return x->usable != y->usable ? y->usable - x->usable : x->begin - y->begin;
}

/*
 * Divides the video into parts at its events, or into quarters if it has none, and picks frames of the longest parts.
 */
static FvStatus choose_parts(const Search *search, Exact *exact, FvError *error)
{
    const FvAlignment *result = search->result;
    const int64_t count = search->path.count;
    const int cuts = result->event_count ? result->event_count + 1 : 4;
    Part *parts = fv_alloc_zero((size_t)cuts * sizeof *parts);
    if (!parts)
        return fv_fail_memory(error, (size_t)cuts * sizeof *parts);
    for (int k = 0; k < cuts; k++) {
        Part *part = &parts[k];
        if (result->event_count) {
            part->begin = k ? result->events[k - 1].at : 0;
            part->end = k + 1 < cuts ? result->events[k].at : (int)count;
        } else {
            part->begin = (int)(k * count / 4);
            part->end = (int)((k + 1) * count / 4);
        }
        for (int j = part->begin; j < part->end; j++)
            part->usable += exact->motion[j] >= 0;
    }
    qsort(parts, (size_t)cuts, sizeof *parts, compare_parts);
    for (int k = 0; k < cuts && k < PARTS && parts[k].usable >= 8; k++) {
        int *chosen = exact->part[exact->parts];
        int picked = pick(exact, parts[k].begin, parts[k].end, OF_A_PART, OF_A_PART, chosen);
        for (int i = picked; i < OF_A_PART; i++)
            chosen[i] = -1;
        exact->parts++;
    }
    fv_free(parts);
    return FV_OK;
}

static const FvAlignCheck *find_check(const Exact *exact, int j)
{
    for (int i = 0; i < exact->check_count; i++)
        if (exact->checks[i].frame == j && exact->checks[i].known)
            return &exact->checks[i];
    return NULL;
}

static int smallest(const uint64_t sse[5])
{
    int best = 0;
    for (int o = 1; o < 5; o++)
        best = sse[o] < sse[best] ? o : best;
    return best;
}

/* Returns whether no neighbour is closer to distorted frame j than its reference frame is. */
static bool is_right(const Exact *exact, int j)
{
    const FvAlignCheck *check = find_check(exact, j);
    for (int o = 0; check && o < 5; o++)
        if (check->sse[0][o] + check->sse[1][o] < check->sse[0][2] + check->sse[1][2])
            return false;
    return check != NULL;
}

static int compare_checks(const void *a, const void *b)
{
    return ((const FvAlignCheck *)a)->frame - ((const FvAlignCheck *)b)->frame;
}

static FvStatus judge_exact(Search *search, const Exact *exact)
{
    FvAlignment *result = search->result;
    int right = 0, contradicted = 0;
    for (int i = 0; i < exact->first_count; i++)
        right += is_right(exact, exact->first[i]);
    for (int k = 0; k < exact->parts; k++) {
        int good = 0, taken = 0;
        for (int i = 0; i < OF_A_PART && exact->part[k][i] >= 0; i++, taken++)
            good += is_right(exact, exact->part[k][i]);
        contradicted += 2 * good <= taken;
    }
    for (int i = 0; i < exact->check_count; i++) {
        const FvAlignCheck *check = &exact->checks[i];
        bool counts = check->frame >= exact->first[0] && check->frame < exact->first[0] + FIRST;
        for (int k = 0; k < exact->first_count; k++)
            counts |= check->frame == exact->first[k];
        result->fields += counts && check->known && smallest(check->sse[0]) != smallest(check->sse[1]);
    }
    result->verified[0] = right;
    result->verified[1] = exact->first_count;
    result->parts[0] = exact->parts - contradicted;
    result->parts[1] = exact->parts;
    if (result->fields >= 2)
        return refuse(search, "mixed frames: the two fields match different frames");
    if (right + 1 < exact->first_count || !right)
        return refuse(search, "the exact comparison of pictures contradicts the match");
    if (contradicted)
        return refuse(search, "the exact comparison of pictures contradicts the match in a part of the video");
    return FV_OK;
}

static FvStatus check_exactly(Search *search, FvError *error)
{
    Exact *exact = fv_alloc_zero(sizeof *exact);
    if (exact)
        exact->motion = fv_alloc((size_t)search->path.count * sizeof *exact->motion);
    FvStatus status = exact && exact->motion ? FV_OK : fv_fail_memory(error, sizeof *exact);
    if (!status) {
        measure_motion(search, exact);
        exact->first_count = pick(exact, 0, search->path.count, FIRST, FIRST, exact->first);
        status = choose_parts(search, exact, error);
    }
    if (!status) {
        for (int i = 0; i < exact->first_count; i++)
            add_check(search, exact, exact->first[i]);
        for (int k = 0; k < exact->parts; k++)
            for (int i = 0; i < OF_A_PART && exact->part[k][i] >= 0; i++)
                add_check(search, exact, exact->part[k][i]);
        for (int j = exact->first[0]; exact->first_count && j < exact->first[0] + FIRST && j < search->path.count;
             j++)
            if (exact->motion[j] >= 0)
                add_check(search, exact, j);
        qsort(exact->checks, (size_t)exact->check_count, sizeof *exact->checks, compare_checks);
        status = search->params->compare(search->params->opaque, exact->checks, exact->check_count, error);
    }
    if (!status)
        status = judge_exact(search, exact);
    if (exact)
        fv_free(exact->motion);
    fv_free(exact);
    return status;
}

/* ---- Judgement ------------------------------------------------------------------------------------------------- */

static FvStatus keep_pairs(Search *search, FvError *error)
{
    FvAlignment *result = search->result;
    const int count = search->path.count;
    fv_free(result->pairs);
    result->pairs = fv_alloc((size_t)count * sizeof *result->pairs);
    if (!result->pairs)
        return fv_fail_memory(error, (size_t)count * sizeof *result->pairs);
    for (int j = 0; j < count; j++)
        result->pairs[j] = fv_align_pair(&search->path, j);
    result->pair_count = count;
    return FV_OK;
}

/*
 * Chooses one offset for all frames if too few pairs are certain and that offset beats all others; refuses otherwise.
 */
static FvStatus settle(Search *search, bool *settled, FvError *error)
{
    FvAlignment *result = search->result;
    int place;
    *settled = true;
    FvStatus status = fv_align_certain(&search->path, &result->certain, &result->least_gap, error);
    if (status || 4 * (int64_t)result->certain >= 3 * (int64_t)result->matched)
        return status;
    status = fv_align_steady(&search->path, &place, error);
    if (status)
        return status;
    *settled = place >= 0;
    if (place < 0)
        return refuse(search, "ambiguous: other alignments fit as well");
    result->constant = true;
    for (int j = 0; j < search->path.count; j++)
        search->path.path[j] = place;
    count_inside(search);
    return FV_OK;
}

/*
 * Pairs distorted frame j with the reference frame of distorted frame `paired`, if both show the same picture and the
 * path can reach that reference frame from j.
 */
static bool repeat(Search *search, int j, int paired)
{
    FvAlignPath *path = &search->path;
    const int64_t place = fv_align_pair(path, paired) - path->bases[j] + path->reach;
    if (place < 0 || place >= path->width ||
        fv_signature_distance(distorted_at(search, j), distorted_at(search, paired)) > path->price)
        return false;
    path->path[j] = (int)place;
    return true;
}

/*
 * Pairs the frames after the last pair, and before the first, as repeats of that pair if they show the same picture.
 * If the distorted video stands still there, the path may have left the reference video, because one drop costs less
 * than many repeats.
 */
static void repeat_still_ends(Search *search)
{
    const int *path = search->path.path;
    int first = 0, last = search->path.count - 1;
    while (!is_inside(search, first))
        first++;
    while (!is_inside(search, last))
        last--;
    if (last + 1 < search->path.count && path[last + 1] != path[last])
        for (int j = last + 1; j < search->path.count && repeat(search, j, last); j++)
            ;
    if (first && path[first] != path[first - 1])
        for (int j = first - 1; j >= 0 && repeat(search, j, first); j--)
            ;
}

static FvStatus judge(Search *search, FvError *error)
{
    FvAlignment *result = search->result;
    const int frames = search->path.count, others = search->reference->frames;
    bool settled;
    result->base = search->path.base;
    result->noise = search->path.noise;
    result->price = search->path.price;
    if (2 * count_inside(search) < (frames < others ? frames : others))
        return refuse(search, "most frames have no counterpart");
    result->residual = median_inside(search, false);
    result->far = median_inside(search, true);
    if (result->far <= FV_SIGNATURE_QUIET || 8 * result->residual > 7 * result->far)
        return refuse(search, "static or unrelated: the match is no better than a chance pair");
    result->mixed = count_mixed(search);
    if (10 * result->mixed >= result->matched)
        return refuse(search, "mixed frames: telecine or blending");
    FvStatus status = settle(search, &settled, error);
    if (status || !settled)
        return status;
    repeat_still_ends(search);
    status = list_events(search, error);
    int first = 0;
    while (first < frames - 1 && !is_inside(search, first))
        first++;
    result->offset = search->path.path[first] - search->path.reach;
    result->answer = result->event_count || result->base ? FV_ALIGN_MAP : FV_ALIGN_OFFSET;
    return status || !search->params->compare ? status : check_exactly(search, error);
}

FvStatus fv_align_find(FvAlignment *alignment, const FvAlignVideo *reference, FvAlignVideo *distorted,
                       const FvAlignParams *params, FvError *error)
{
    *alignment = (FvAlignment){.answer = FV_ALIGN_REFUSED, .reference_frames = reference->frames};
    Search search = {.result = alignment, .reference = reference, .distorted = distorted, .params = params};
    if (reference->frames < FV_ALIGN_LEAST || distorted->frames < FV_ALIGN_LEAST)
        return refuse(&search, "fewer than 8 frames");
    const int more = abs(reference->frames - distorted->frames) + FV_ALIGN_LEAST;
    search.reach = params->reach ? params->reach : more > LEAST_REACH ? more : LEAST_REACH;
    if ((int64_t)distorted->frames * (2 * (int64_t)search.reach + 1) > MOST_PLACES)
        return refuse(&search, "the videos are too long, or too unequal in length, to be searched");
    search.values = fv_alloc((size_t)distorted->frames * sizeof *search.values);
    FvStatus status =
        search.values ? FV_OK : fv_fail_memory(error, (size_t)distorted->frames * sizeof *search.values);
    if (!status)
        status = find_best(&search, error);
    if (!status) {
        remove_bias(&search);
        status = find_best(&search, error);
    }
    if (!status)
        status = judge(&search, error);
    if (!status)
        status = keep_pairs(&search, error);
    fv_align_path_close(&search.path);
    fv_free(search.values);
    return status;
}

void fv_align_close(FvAlignment *alignment)
{
    fv_free(alignment->events);
    fv_free(alignment->pairs);
    *alignment = (FvAlignment){0};
}

void fv_align_sse(FvAlignCheck *check, int place, const FvFrame *reference, const FvFrame *distorted)
{
    check->sse[0][place] = check->sse[1][place] = 0;
    for (int y = 0; y < reference->format.height; y++) {
        const uint8_t *r = reference->data[0] + y * reference->stride[0];
        const uint8_t *d = distorted->data[0] + y * distorted->stride[0];
        uint64_t sum = 0;
        for (int x = 0; x < reference->format.width; x++) {
            const int64_t difference =
                reference->format.depth == 8 ? r[x] - d[x] : ((const uint16_t *)r)[x] - ((const uint16_t *)d)[x];
            sum += (uint64_t)(difference * difference);
        }
        check->sse[y & 1][place] += sum;
    }
}

/* Decides which of several encodes to ship. */
#include "ladder/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/exact.h"
#include "base/error.h"
#include "os/locale.h"
#include "text.h"
#include "words.h"

#define WORTH 0.3     /* minimum gain of a doubling of the rate, in widths of a word: 6 points of VMAF, 1.8 dB */
#define SLACK 1e-9    /* relative slack for rounded logarithms */
#define A_LITTLE 1.25 /* maximum ratio to the pick's rate that is "a little more" */
#define LEAST_BD 4    /* minimum number of encodes in a group for BD-rate */
#define MOST 65536    /* maximum number of encodes */

/* The facts about an encode that decide the pick. */
typedef struct Entry {
    double rate, quality, mean; /* quality: the score, negated if lower is better */
    double log_rate;            /* natural logarithm of the rate; NaN: unknown */
    int resolution, order;      /* order: index of the encode */
    bool whole, passes;
} Entry;

struct FvLadder {
    FvLadderParams params;
    int count;
    Entry *entries;
    FvLadderPlace *places;
    int *of; /* index of the group of each encode; -1: none */
    FvLadderGroups groups;
    FvLadderPick pick;
    int steps;  /* number of steps on the hull of all encodes after the best value */
    bool first; /* the best value is the first encode of that hull */
    char *sentence, *reason;
};

const char *fv_pick_kind_name(FvPickKind kind)
{
    static const char *const names[] = {"none", "gate", "value"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* ---- Order and hulls ------------------------------------------------------------------------------------------- */

/*
 * Returns whether encode `a`, if completely scored, comes before b: by rate, then by quality, mean and order. Unknown
 * rates come last.
 */
static bool is_cheaper(const Entry *a, const Entry *b)
{
    const bool known[2] = {!isnan(a->rate), !isnan(b->rate)};
    if (known[0] != known[1])
        return known[0];
    if (known[0] && a->rate != b->rate)
        return a->rate < b->rate;
    if (isnan(a->quality) != isnan(b->quality))
        return isnan(b->quality);
    if (a->quality != b->quality && !isnan(a->quality))
        return a->quality > b->quality;
    if (a->mean != b->mean && !isnan(a->mean) && !isnan(b->mean))
        return a->mean > b->mean;
    return a->order < b->order;
}

static int compare_rungs(const void *a, const void *b)
{
    const Entry *const *x = a, *const *y = b;
    return is_cheaper(*x, *y) ? -1 : 1;
}

/* Returns whether an encode is a point of the chart. */
static bool is_point(const Entry *entry)
{
    return entry->whole && isfinite(entry->quality) && !isnan(entry->rate);
}

/*
 * Finds the rising part of a group's upper convex hull over the logarithm of the rate (Andrew 1979, monotone chain).
 * group: -1: all encodes. sorted: encodes by rate. Returns the number of encodes on the hull.
 */
static int find_hull(const FvLadder *ladder, const Entry *const *sorted, int group, const Entry **hull)
{
    int count = 0;
    for (int i = 0; i < ladder->count; i++) {
        const Entry *entry = sorted[i];
        if (!is_point(entry) || (group >= 0 && ladder->of[entry->order] != group) ||
            (count && entry->quality <= hull[count - 1]->quality))
            continue;
        for (; count > 1; count--) {
            const Entry *a = hull[count - 2], *b = hull[count - 1];
            if ((b->quality - a->quality) * (entry->log_rate - a->log_rate) >
                (entry->quality - a->quality) * (b->log_rate - a->log_rate))
                break;
        }
        hull[count++] = entry;
    }
    return count;
}

/*
 * Returns the best encode of the group of encode i that has no higher rate, no worse quality, and differs in one of
 * them; -1: none. Of equally good ones, the one with the lower rate.
 */
static int find_dominator(const FvLadder *ladder, int i)
{
    const Entry *own = &ladder->entries[i], *best = NULL;
    for (int k = 0; k < ladder->count && own->whole && !isnan(own->rate); k++) {
        const Entry *other = &ladder->entries[k];
        if (!other->whole || ladder->of[k] != ladder->of[i] || !(other->rate <= own->rate) ||
            !(other->quality >= own->quality) || (other->rate == own->rate && other->quality == own->quality))
            continue;
        if (!best || other->quality > best->quality || (other->quality == best->quality && other->rate < best->rate))
            best = other;
    }
    return best ? best->order : -1;
}

/* ---- The pick -------------------------------------------------------------------------------------------------- */

/*
 * Returns the width of a verdict's word at the upper end of the scale, such as 20 points of VMAF; 0: the score has no
 * words.
 */
static double width_of_word(const FvLadderParams *params)
{
    const FvMeaning *meaning = params->meaning;
    const int n = meaning->grade_count;
    if (!params->words || n < 3)
        return 0;
    return params->better == FV_HIGHER_IS_BETTER ? meaning->grades[n - 1].from - meaning->grades[n - 2].from
                                                 : meaning->grades[2].from - meaning->grades[1].from;
}

/*
 * Returns the last encode on the hull of all encodes whose step gains enough per doubling of the rate, or the first
 * one if no step does.
 */
static const Entry *find_value(FvLadder *ladder, const Entry *const *sorted, const Entry **hull)
{
    const double least = WORTH * width_of_word(&ladder->params) - SLACK, doubling = fv_log_exact(2);
    const int count = find_hull(ladder, sorted, -1, hull);
    int last = 0;
    for (int i = 1; i < count; i++)
        if ((hull[i]->quality - hull[i - 1]->quality) * doubling >=
            least * (hull[i]->log_rate - hull[i - 1]->log_rate))
            last = i;
    ladder->steps = count - 1 - last;
    ladder->first = !last;
    return count ? hull[last] : NULL;
}

static void find_pick(FvLadder *ladder, const Entry *const *sorted, const Entry **hull)
{
    FvLadderPick *pick = &ladder->pick;
    const Entry *chosen = NULL, *best = NULL, *below = NULL, *more = NULL;
    *pick = (FvLadderPick){.encode = -1, .best = -1, .below = -1, .more = -1};
    for (int i = 0; i < ladder->count; i++) {
        const Entry *entry = sorted[i];
        if (!entry->whole)
            continue;
        pick->whole++;
        pick->passing += entry->passes;
        if (!isnan(entry->quality) && (!best || entry->quality > best->quality))
            best = entry;
        if (ladder->params.gates && entry->passes && !isnan(entry->rate) && ladder->of[entry->order] >= 0) {
            FvLadderGroup *group = &ladder->groups.group[ladder->of[entry->order]];
            chosen = chosen ? chosen : entry;
            group->cheapest = group->cheapest < 0 ? entry->order : group->cheapest;
        }
    }
    if (!ladder->params.gates && width_of_word(&ladder->params) > 0)
        chosen = find_value(ladder, sorted, hull);
    for (int i = 0; i < ladder->count && chosen && ladder->params.gates; i++) {
        const Entry *entry = sorted[i];
        if (!entry->whole || isnan(entry->quality) || isnan(entry->rate))
            continue;
        if (!entry->passes && entry->rate < chosen->rate && (!below || entry->quality > below->quality))
            below = entry;
        if (entry->passes && entry->rate > chosen->rate && entry->rate <= A_LITTLE * chosen->rate &&
            entry->quality >= chosen->quality + 1 && (!more || entry->quality > more->quality))
            more = entry;
    }
    pick->best = best ? best->order : -1;
    pick->below = below ? below->order : -1;
    pick->more = more ? more->order : -1;
    if (chosen) {
        pick->encode = chosen->order;
        pick->kind = ladder->params.gates ? FV_PICK_GATE : FV_PICK_VALUE;
    }
}

/* Writes the name of the score, such as "VMAF, worst 5 %". */
static void put_score(FILE *file, const FvLadderParams *params)
{
    fprintf(file, "%s%s%s", params->meaning->title, params->pool ? ", " : "", params->pool ? params->pool : "");
}

/* Writes a value with the unit of its score. */
static void put_value(FILE *file, const FvLadderParams *params, double value)
{
    char text[FV_WORD_SIZE];
    fputs(fv_word_score(text, params->meaning, value, true), file);
}

/* Writes the limit of the gate, such as "at least 90". */
static void put_limit(FILE *file, const FvLadderParams *params)
{
    const char *unit = params->meaning->unit && !params->meaning->share ? params->meaning->unit : NULL;
    fprintf(file, "at %s %g%s%s", params->better == FV_LOWER_IS_BETTER ? "most" : "least", params->limit,
            unit ? " " : "", unit ? unit : "");
}

/* Appends the verdict's sentence to another sentence. */
static void put_verdict(FILE *file, const FvLadderEncode *encode)
{
    const char *sentence = encode->sentence;
    if (sentence && *sentence)
        fprintf(file, " %s%s", sentence, sentence[strlen(sentence) - 1] == '.' ? "" : ".");
}

static void write_sentence(FILE *file, const FvLadder *ladder, const FvLadderEncode *encodes)
{
    const FvLadderPick *pick = &ladder->pick;
    const FvLadderParams *params = &ladder->params;
    char rate[FV_WORD_SIZE];
    if (pick->kind != FV_PICK_NONE) {
        const FvLadderEncode *chosen = &encodes[pick->encode];
        fv_word_bit_rate(rate, chosen->rate);
        if (pick->kind == FV_PICK_GATE)
            fprintf(file, "Ship %s: %s, the cheapest that passes the gate%s.", chosen->name, rate,
                    params->gates > 1 ? "s" : "");
        else
            fprintf(file, "Best value: %s, %s.", chosen->name, rate);
        put_verdict(file, chosen);
    } else if (!pick->whole)
        fputs("No encode was scored whole.", file);
    else if (params->gates && !pick->passing) {
        fputs("No encode passes.", file);
        if (pick->best >= 0) {
            const Entry *best = &ladder->entries[pick->best];
            const double sense = params->better == FV_LOWER_IS_BETTER ? -1 : 1;
            const double lacks = sense * params->limit - best->quality;
            fprintf(file, " The best, %s, has ", encodes[pick->best].name);
            put_value(file, params, sense * best->quality);
            if (lacks > 0) {
                fputs(params->better == FV_LOWER_IS_BETTER ? ", too much by " : " and lacks ", file);
                put_value(file, params, lacks);
            }
            fputs(".", file);
        }
    } else if (!params->gates && !(width_of_word(params) > 0))
        fprintf(file, "No pick: nothing says how much %s a bit is worth.", params->meaning->title);
    else
        fputs("Bit rates unknown: no pick.", file);
}

static void write_reason(FILE *file, const FvLadder *ladder)
{
    const FvLadderPick *pick = &ladder->pick;
    const FvLadderParams *params = &ladder->params;
    const double sense = params->better == FV_LOWER_IS_BETTER ? -1 : 1;
    if (pick->kind == FV_PICK_GATE) {
        put_score(file, params);
        fputs(" is ", file);
        put_value(file, params, sense * ladder->entries[pick->encode].quality);
        fputs(" and must be ", file);
        put_limit(file, params);
        fprintf(file, ". %d of %d pass%s.", pick->passing, pick->whole, pick->whole == 1 ? "es" : "");
    } else if (pick->kind == FV_PICK_VALUE && (ladder->steps || !ladder->first)) {
        fprintf(file, "%s %g %s of %s%s.",
                !ladder->steps ? "No encode is better, and the step to it still buys"
                               : "Beyond it, twice the bits buy less than",
                WORTH * width_of_word(params), params->meaning->unit ? params->meaning->unit : "points",
                params->meaning->title, !ladder->steps ? " or more for twice the bits" : "");
    } else if (params->gates && !pick->passing && pick->whole) {
        put_score(file, params);
        fputs(" must be ", file);
        put_limit(file, params);
        fputs(".", file);
    } else if (pick->whole && (params->gates || width_of_word(params) > 0))
        fprintf(file, "Encodes are in the order of their %s.", params->meaning->title);
}

/* ---- The ladder ------------------------------------------------------------------------------------------------ */

static FvStatus check_encodes(const FvLadderEncode *encodes, int count, const FvLadderParams *params, FvError *error)
{
    if (count < 1 || count > MOST)
        return fv_fail(error, FV_ERROR_USAGE, "a ladder has 1 to %d encodes, not %d", MOST, count);
    if (!params->meaning || (params->better != FV_HIGHER_IS_BETTER && params->better != FV_LOWER_IS_BETTER) ||
        params->gates < 0 || isnan(params->limit))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "fv_ladder_open needs the meaning of the score, whether higher or lower is better, a limit that is "
            "a number, and 0 gates or more");
    for (int i = 0; i < count; i++)
        if (!encodes[i].name || encodes[i].rate <= 0 || isinf(encodes[i].rate))
            return fv_fail(error, FV_ERROR_USAGE, "encode %d of a ladder needs a name, and a rate above 0 or NaN",
                           i + 1);
    return FV_OK;
}

/* Finds the resolution of an encode. Encodes of one size are on one curve. */
static int find_resolution(const FvLadderEncode *encodes, int i)
{
    int first = 0;
    while (encodes[first].width != encodes[i].width || encodes[first].height != encodes[i].height)
        first++;
    return first;
}

static void take_rungs(FvLadder *ladder, const FvLadderEncode *encodes)
{
    const double sense = ladder->params.better == FV_LOWER_IS_BETTER ? -1 : 1;
    for (int i = 0; i < ladder->count; i++) {
        const FvLadderEncode *from = &encodes[i];
        ladder->entries[i] = (Entry){.rate = from->rate,
                                     .quality = sense * from->quality,
                                     .mean = sense * from->mean,
                                     .log_rate = fv_log_exact(from->rate),
                                     .resolution = find_resolution(encodes, i),
                                     .order = i,
                                     .whole = from->whole,
                                     .passes = from->whole && from->passes};
    }
}

static void find_places(FvLadder *ladder, const Entry *const *sorted, const Entry **hull)
{
    for (int i = 0; i < ladder->count; i++)
        ladder->places[sorted[i]->order] = (FvLadderPlace){.group = ladder->of[sorted[i]->order],
                                                           .rank = i + 1,
                                                           .dominated_by = find_dominator(ladder, sorted[i]->order)};
    for (int g = 0; g < ladder->groups.count; g++)
        for (int k = find_hull(ladder, sorted, g, hull); k > 0; k--)
            ladder->places[hull[k - 1]->order].on_hull = true;
}

static bool write_texts(FvLadder *ladder, const FvLadderEncode *encodes)
{
    size_t size;
    FILE *file = fv_text_open(&ladder->sentence, &size);
    if (file)
        write_sentence(file, ladder, encodes);
    if (!fv_text_close(file, &ladder->sentence))
        return false;
    file = fv_text_open(&ladder->reason, &size);
    if (file)
        write_reason(file, ladder);
    if (!fv_text_close(file, &ladder->reason))
        return false;
    ladder->pick.sentence = ladder->sentence;
    ladder->pick.reason = ladder->reason;
    return true;
}

FvStatus fv_ladder_open(FvLadder **ladder, const FvLadderEncode *encodes, int count, const FvLadderParams *params,
                        FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, ladder);
    *ladder = NULL;
    FV_REQUIRE(error, encodes);
    FV_REQUIRE(error, params);
    FvStatus status = check_encodes(encodes, count, params, error);
    if (status)
        return status;
    const size_t all = (size_t)count;
    FvLadder *made = calloc(1, sizeof *made);
    const Entry **sorted = calloc(2 * all, sizeof *sorted);
    bool good = made && sorted;
    if (good) {
        *made = (FvLadder){.params = *params,
                           .count = count,
                           .entries = calloc(all, sizeof *made->entries),
                           .places = calloc(all, sizeof *made->places),
                           .of = calloc(all, sizeof *made->of)};
        good = made->entries && made->places && made->of &&
               !fv_ladder_find_groups(&made->groups, made->of, encodes, count, error);
    }
    if (good) {
        take_rungs(made, encodes);
        for (int i = 0; i < count; i++)
            sorted[i] = &made->entries[i];
        qsort(sorted, all, sizeof *sorted, compare_rungs);
        find_places(made, sorted, sorted + all);
        find_pick(made, sorted, sorted + all);
        FvLocale before;
        good = fv_locale_enter(&before) && write_texts(made, encodes);
        fv_locale_leave(before);
    }
    free(sorted);
    if (!good) {
        fv_ladder_close(&made);
        return fv_fail_memory(error, all * (sizeof *made->entries + sizeof *made->places + 2 * sizeof *sorted));
    }
    made->params.pool = NULL;
    *ladder = made;
    return FV_OK;
}

void fv_ladder_close(FvLadder **ladder)
{
    if (!ladder || !*ladder)
        return;
    fv_ladder_ungroup(&(*ladder)->groups);
    free((*ladder)->entries);
    free((*ladder)->places);
    free((*ladder)->of);
    free((*ladder)->sentence);
    free((*ladder)->reason);
    free(*ladder);
    *ladder = NULL;
}

const FvLadderPick *fv_ladder_pick(const FvLadder *ladder)
{
    return ladder ? &ladder->pick : NULL;
}

const FvLadderPlace *fv_ladder_place(const FvLadder *ladder, int encode)
{
    return ladder && encode >= 0 && encode < ladder->count ? &ladder->places[encode] : NULL;
}

int fv_ladder_groups(const FvLadder *ladder)
{
    return ladder ? ladder->groups.count : 0;
}

const FvLadderGroup *fv_ladder_group(const FvLadder *ladder, int group)
{
    return ladder && group >= 0 && group < ladder->groups.count ? &ladder->groups.group[group] : NULL;
}

/*
 * Computes the hull of a group over its resolutions, with rates in kbit/s, from its completely scored encodes.
 * *result: the reason if there are too few.
 */
static FvStatus find_curve(const FvLadder *ladder, int group, FvBdPoint **hull, int *count, FvBdResult *result,
                           FvError *error)
{
    int points = 0;
    FvBdPoint *all = calloc((size_t)ladder->count, sizeof *all);
    if (!all)
        return fv_fail_memory(error, (size_t)ladder->count * sizeof *all);
    for (int i = 0; i < ladder->count; i++) {
        const Entry *entry = &ladder->entries[i];
        if (ladder->of[i] == group && entry->whole && isfinite(entry->mean) && !isnan(entry->rate))
            all[points++] = (FvBdPoint){entry->rate / 1000, entry->mean, entry->resolution};
    }
    FvStatus status = FV_OK;
    if (points >= LEAST_BD)
        status = fv_bd_hull(all, points, FV_HIGHER_IS_BETTER, hull, count, error);
    else {
        result->refusal = FV_BD_FEW_POINTS;
        snprintf(result->reason, sizeof result->reason, "too few encodes of %.160s: %d of %d",
                 ladder->groups.name[group], points, LEAST_BD);
    }
    free(all);
    return status;
}

FvStatus fv_ladder_bd(const FvLadder *ladder, int anchor, int group, FvBdResult *result, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, ladder);
    FV_REQUIRE(error, result);
    const int of[2] = {anchor, group};
    FvBdPoint *hull[2] = {NULL, NULL};
    int count[2] = {0, 0};
    FvStatus status = FV_OK;
    *result =
        (FvBdResult){.bd_rate = NAN, .bd_quality = NAN, .overlap = NAN, .rate_overlap = NAN, .from = NAN, .to = NAN};
    if (!fv_ladder_group(ladder, anchor) || !fv_ladder_group(ladder, group) || anchor == group)
        return fv_fail(error, FV_ERROR_USAGE, "BD-rate is of two different groups of a ladder");
    for (int side = 0; side < 2 && !status && !result->refusal; side++)
        status = find_curve(ladder, of[side], &hull[side], &count[side], result, error);
    if (!status && !result->refusal) {
        FvBd *bd;
        status = fv_bd_open(&bd, hull[0], count[0], hull[1], count[1], &(FvBdParams){.better = FV_HIGHER_IS_BETTER},
                            error);
        if (!status)
            *result = *fv_bd_result(bd);
        fv_bd_close(&bd);
        if (!status && ladder->params.better == FV_LOWER_IS_BETTER) {
            const double from = result->from;
            result->from = -result->to;
            result->to = -from;
            result->bd_quality = -result->bd_quality;
        }
    }
    if (result->refusal == FV_BD_NO_OVERLAP)
        snprintf(result->reason, sizeof result->reason, "the groups share no quality");
    else if (result->refusal == FV_BD_LITTLE_OVERLAP)
        snprintf(result->reason, sizeof result->reason, "the groups share only %.0f %% of their qualities",
                 100 * result->overlap);
    for (int side = 0; side < 2; side++)
        fv_bd_free_hull(&hull[side]);
    return status;
}

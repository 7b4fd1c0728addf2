#include "doubt/parts.h"

#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define LEAST_LOOKS 3        /* minimum number of looks that show a mistake without parameters */
#define LEAST_FRAMES 16      /* minimum number of frames from the first of these looks to the last */
#define LEAST_FITTED_LOOKS 4 /* minimum numbers for a mistake with fitted parameters, and for lost colour */
#define LEAST_FITTED_FRAMES 24
/* Encodes of the lowest rates keep pictures like noise this much alike: the squared correlation of their lumas. */
#define LIKE_NOISE (1.0 / 32.0)

typedef enum Aspect { LOST, FIXED, LINES, BARS, UNRELATED, FITTED } Aspect;

/* A mistake that is asked for in every look. */
typedef struct Question {
    Aspect aspect;
    FvHypothesis hypothesis; /* FIXED */
    unsigned mistakes;       /* FITTED: bit i: FvMistake i */
    double rms;              /* FITTED: minimum difference, in 8-bit codes: fades and grades differ a little */
    int axis, side;          /* LINES; BARS */
    int64_t fit;             /* LINES */
    bool inverted;           /* asks for looks that contradict the mistake */
} Question;

typedef struct Search {
    FvParts *parts;
    const FvLook *looks;
    const FvMoments *moments; /* [look] */
    int count;
    bool *told;        /* [look]: black lines or a part with a mistake explain the difference */
    uint8_t *mistakes; /* [look]: the FvMistake that explains this look alone */
    int runs;          /* number of runs that answered the last question */
} Search;

/* Consecutive looks, first and last of which show a mistake, and none of which contradicts it. */
typedef struct Run {
    int first, last, votes;
} Run;

/* ---- One look -------------------------------------------------------------------------------------------------- */

static FvVote vote_on_lost(const FvLook *look)
{
    FvMoments m;
    if (fv_colour_lost(look, 1, 16.0 * FV_LOST_LEAST)) /* encodes of low rates lose the pale colours of a scene */
        return FV_VOTE_FOR;
    const bool coloured = fv_moments_add_up(&m, look, 1) && (fv_moments_variance(&m, 2) >= FV_LOST_LEAST ||
                                                             fv_moments_variance(&m, 3) >= FV_LOST_LEAST);
    return coloured && !fv_colour_lost(look, 1, FV_LOST_LEAST) ? FV_VOTE_AGAINST : FV_VOTE_NONE;
}

static FvVote vote_on_lines(const Question *question, const FvLook *look)
{
    const int64_t fit = look->lines[question->axis].fit;
    return fit == question->fit                               ? FV_VOTE_FOR
           : fit == FV_LINES_UNKNOWN || fit == FV_LINES_APART ? FV_VOTE_NONE
                                                              : FV_VOTE_AGAINST;
}

static FvVote vote_on_bars(const Question *question, const FvLook *look)
{
    FvVote vote = FV_VOTE_AGAINST;
    for (int i = 0; i < 2 * FV_AXES; i++) {
        const FvLookBar *bar = &look->lines[i / 2].bar[question->side][i % 2];
        if (fv_look_has_bar(look, i / 2, question->side, i % 2))
            return FV_VOTE_FOR;
        vote = bar->lines >= FV_BAR_LEAST ? FV_VOTE_NONE : vote;
    }
    return vote;
}

/* Returns whether one picture has a bar of any size where the other is bright: then its blocks differ for that
 * reason. */
static bool has_black_lines(const FvLook *look)
{
    for (int i = 0; i < 4 * FV_AXES; i++) {
        const FvLookBar *bar = &look->lines[i / 4].bar[i / 2 % 2][i % 2];
        if (bar->lines >= FV_BAR_LEAST && bar->bright)
            return true;
    }
    return false;
}

/* Returns what a look says about the mistake of a question. */
static FvVote vote_of(const Search *search, const Question *question, int k)
{
    const FvLook *look = &search->looks[k];
    switch (question->aspect) {
    case LOST:
        return vote_on_lost(look);
    case FIXED:
        return fv_colour_vote(&question->hypothesis, &search->moments[k]);
    case LINES:
        return vote_on_lines(question, look);
    case BARS:
        return vote_on_bars(question, look);
    case UNRELATED:
        return search->told[k] ? FV_VOTE_AGAINST : fv_look_is_unrelated(look, LIKE_NOISE);
    case FITTED:
        return question->mistakes >> search->mistakes[k] & 1 ? FV_VOTE_FOR : FV_VOTE_AGAINST;
    }
    return FV_VOTE_NONE;
}

/* ---- Runs ------------------------------------------------------------------------------------------------------ */

/* Returns whether all looks of a run together have the mistake, by the rules for a whole clip, and keeps only that.
 */
static bool confirms(const Search *search, const Question *question, const Run *run, FvFindings *part)
{
    const int count = run->last - run->first + 1;
    const FvHypothesis *asked = &question->hypothesis;
    FvFindings all;
    fv_findings_make(&all, &search->looks[run->first], count, false);
    const FvHypothesis *found = &all.colour.found;
    switch (question->aspect) {
    case LOST:
        part->lost = all.lost;
        return all.lost;
    case FIXED:
        part->colour = all.colour;
        return found->mistake == asked->mistake && found->from == asked->from && found->to == asked->to &&
               found->range == asked->range && found->order == asked->order && found->planes == asked->planes;
    case LINES:
        part->lines[question->axis] = all.lines[question->axis];
        return all.lines[question->axis] == question->fit;
    case BARS: {
        bool any = false;
        for (int i = 0; i < 2 * FV_AXES; i++) { /* a shifted picture leaves black lines at an edge */
            const int64_t bar = all.lines[i / 2] ? 0 : all.bars[i / 2][question->side][i % 2];
            part->bars[i / 2][question->side][i % 2] = bar;
            any |= bar != 0;
        }
        return any;
    }
    case UNRELATED:
        part->unrelated = all.unrelated;
        return all.unrelated;
    case FITTED:
        part->colour = all.colour;
        return question->mistakes >> found->mistake & 1 && all.colour.votes == count &&
               all.colour.rms >= question->rms;
    }
    return false;
}

/* Keeps the part among those that begin first. */
static void add_part(FvParts *parts, const FvFindings *part)
{
    int kept = parts->count < FV_PARTS ? parts->count : FV_PARTS, place = kept;
    while (place && parts->part[place - 1].first > part->first)
        place--;
    parts->count++;
    if (place == FV_PARTS)
        return;
    kept -= kept == FV_PARTS;
    memmove(&parts->part[place + 1], &parts->part[place], (size_t)(kept - place) * sizeof *parts->part);
    parts->part[place] = *part;
}

static void end_run(Search *search, const Question *question, const Run *run)
{
    const bool strict = question->aspect == FITTED || question->aspect == LOST;
    const int64_t first = search->looks[run->first].number, frames = search->looks[run->last].number - first + 1;
    FvFindings part = {.first = first, .frames = frames};
    if (run->votes < (strict ? LEAST_FITTED_LOOKS : LEAST_LOOKS) ||
        frames <= (strict ? LEAST_FITTED_FRAMES : LEAST_FRAMES))
        return;
    if (!question->inverted && !confirms(search, question, run, &part))
        return;
    search->runs++;
    if (question->inverted)
        return;
    add_part(search->parts, &part);
    for (int k = run->first; k <= run->last; k++)
        search->told[k] = true;
}

/* Returns the number of runs that answer a question, and adds their parts. */
static int ask(Search *search, const Question *question)
{
    const FvVote yes = question->inverted ? FV_VOTE_AGAINST : FV_VOTE_FOR;
    Run run = {.votes = 0};
    search->runs = 0;
    for (int k = 0; k < search->count; k++) {
        const FvVote vote = vote_of(search, question, k);
        if (vote == yes) {
            run.first = run.votes++ ? run.first : k;
            run.last = k;
        } else if (vote && run.votes) {
            end_run(search, question, &run);
            run.votes = 0;
        }
    }
    if (run.votes)
        end_run(search, question, &run);
    return search->runs;
}

/* ---- Aspects --------------------------------------------------------------------------------------------------- */

static int ask_for_maps(Search *search)
{
    FvHypothesis maps[FV_HYPOTHESES];
    const int count = fv_colour_catalogue(maps);
    int runs = ask(search, &(Question){.aspect = LOST});
    for (int i = 0; i < count; i++)
        runs += ask(search, &(Question){.aspect = FIXED, .hypothesis = maps[i]});
    return runs;
}

static int ask_for_fits(Search *search)
{
    static const unsigned chroma = 1u << FV_MISTAKE_HUE | 1u << FV_MISTAKE_SATURATION;
    static const unsigned luma =
        1u << FV_MISTAKE_LEVEL | 1u << FV_MISTAKE_LEVELS | 1u << FV_MISTAKE_TONE | 1u << FV_MISTAKE_AFFINE;
    for (int k = 0; k < search->count; k++) {
        FvColourFit fit = {.votes = 0};
        if (!search->told[k])
            fv_colour_explain(&fit, &search->looks[k], 1);
        search->mistakes[k] = (uint8_t)fit.found.mistake;
    }
    return ask(search, &(Question){.aspect = FITTED, .mistakes = chroma, .rms = 3}) +
           ask(search, &(Question){.aspect = FITTED, .mistakes = luma, .rms = 5});
}

static void ask_for_lines(Search *search, FvFindings *whole, int axis)
{
    const int64_t known = whole->lines[axis];
    int runs = 0;
    if (known && !ask(search, &(Question){.aspect = LINES, .axis = axis, .fit = known, .inverted = true}))
        return;
    for (int fit = FV_LINES_FIELDS; fit <= FV_LINES_SHIFT(FV_LINES_FARTHEST); fit++)
        runs += ask(search, &(Question){.aspect = LINES, .axis = axis, .fit = fit});
    if (runs)
        whole->lines[axis] = FV_LINES_UNKNOWN;
}

static void ask_for_bars(Search *search, const FvFindings *whole, int side)
{
    bool known = whole->barred[side];
    for (int i = 0; i < 2 * FV_AXES; i++)
        known |= whole->bars[i / 2][side][i % 2] != 0;
    if (!known)
        ask(search, &(Question){.aspect = BARS, .side = side});
}

FvStatus fv_parts_find(FvParts *parts, FvFindings *whole, const FvLook *looks, int count, bool shifted,
                       FvError *error)
{
    const size_t bytes = (size_t)count * (sizeof(FvMoments) + sizeof(bool) + sizeof(uint8_t)) + 1;
    FvMoments *moments = fv_alloc_zero(bytes);
    bool *told = moments ? (bool *)(moments + count) : NULL;
    Search search = {.parts = parts,
                     .looks = looks,
                     .moments = moments,
                     .count = count,
                     .told = told,
                     .mistakes = (uint8_t *)(told + count)};
    parts->count = 0;
    if (!moments)
        return fv_fail_memory(error, bytes);
    for (int k = 0; k < count; k++)
        fv_moments_add_up(&moments[k], &looks[k], 1);
    const FvHypothesis *known = &whole->colour.found;
    const bool holds =
        known->mistake && !ask(&search, &(Question){.aspect = FIXED, .hypothesis = *known, .inverted = true});
    int colours = 0;
    if (!whole->lost && !holds)
        colours = ask_for_maps(&search);
    for (int axis = 0; axis < FV_AXES; axis++)
        ask_for_lines(&search, whole, axis);
    for (int side = 0; side < 2; side++)
        ask_for_bars(&search, whole, side);
    for (int k = 0; k < count; k++)
        search.told[k] |= has_black_lines(&looks[k]);
    if (!shifted && !whole->unrelated && !whole->lost && !known->mistake && !whole->lines[FV_AXIS_ROWS] &&
        !whole->lines[FV_AXIS_COLUMNS])
        ask(&search, &(Question){.aspect = UNRELATED});
    if (!whole->lost && !holds && !shifted)
        colours += ask_for_fits(&search);
    if (colours)
        whole->colour = (FvColourFit){.votes = 0};
    fv_free(moments);
    return FV_OK;
}

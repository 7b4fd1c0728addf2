/* Decides which of several encodes to ship, by the gates of the command. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "encodes/ladder.h"
#include "path_names.h"
#include "words.h"

bool ladder_counts(const EncodeResult *result)
{
    return result->scored && !result->partial && result->verdict.kind >= FV_VERDICT_GATE_FAILED;
}

/* Returns whether a text matches a pattern with * and ?. */
static bool matches(const char *pattern, const char *text)
{
    if (*pattern == '*')
        return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
    return !*pattern ? !*text : *text && (*pattern == '?' || *pattern == *text) && matches(pattern + 1, text + 1);
}

FvStatus ladder_take_groups(Ladder *ladder, const ArgList *groups)
{
    ladder->groups = groups;
    if (!(ladder->group_name = calloc((size_t)groups->count + 1, sizeof *ladder->group_name)))
        return report_error(FV_ERROR_MEMORY, "out of memory for the groups");
    for (int i = 0; i < groups->count; i++) {
        const char *text = groups->items[i], *pattern = strchr(text, '=');
        if (!pattern || pattern == text || !pattern[1])
            return report_error(FV_ERROR_USAGE, "--group takes NAME=PATTERN, such as slow='*_slow_*', not '%s'",
                                text);
        if (!(ladder->group_name[i] = strndup(text, (size_t)(pattern - text))))
            return report_error(FV_ERROR_MEMORY, "out of memory for the groups");
    }
    return FV_OK;
}

const char *ladder_named_group(const Ladder *ladder, const char *path)
{
    for (int i = 0; ladder->groups && i < ladder->groups->count; i++) {
        const char *pattern = strchr(ladder->groups->items[i], '=') + 1;
        if (matches(pattern, path) || matches(pattern, fv_base_name(path)))
            return ladder->group_name[i];
    }
    return NULL;
}

double ladder_value(const LadderView *view, const EncodeResult *result)
{
    const EncodeScore *score = result->scored ? ladder_find(result, view->score->name) : NULL;
    return score ? score->pool[view->pool] : NAN;
}

/* Returns whether the encode passes the gates from number `first` on, and reaches the limit. */
static bool passes(const LadderView *view, const Ladder *ladder, const EncodeResult *result, int first, double limit)
{
    const double value = ladder_value(view, result);
    bool pass = result->scored && (view->score->better == FV_LOWER_IS_BETTER ? value <= limit : value >= limit);
    for (int g = first; g < ladder->gates.count && pass; g++)
        pass = result->passed[g];
    return pass;
}

const char *ladder_quality(const EncodeResult *result)
{
    const char *sentence = result->scored ? result->verdict.sentence : NULL;
    const char *rest = sentence && result->verdict.kind == FV_VERDICT_GATE_FAILED ? strstr(sentence, ". ") : NULL;
    return rest ? rest + 2 : sentence;
}

bool ladder_example(const Ladder *ladder, char *text, size_t size)
{
    const EncodeScore *score = ladder->view.score;
    const FvLadderPick *pick = fv_ladder_pick(ladder->view.decision);
    if (!pick || pick->best < 0)
        return false;
    const FvMeaning *meaning = score->meaning;
    const bool lower = score->better == FV_LOWER_IS_BETTER;
    const double limit = meaning->grade_count > 1 ? meaning->grades[lower ? 1 : meaning->grade_count - 1].from
                                                  : round(ladder_value(&ladder->view, &ladder->results[pick->best]));
    snprintf(text, size, "`fail_%s` %s=%g", lower ? "above" : "below", score->name, limit);
    return true;
}

FvStatus ladder_decide(LadderView *view, const Ladder *ladder, bool gated, double limit)
{
    FvError error = {0};
    const EncodeScore *score = view->score;
    FvLadderEncode *encodes = calloc((size_t)ladder->count, sizeof *encodes);
    FvLadderParams params = {.meaning = score->meaning,
                             .better = score->better,
                             .pool = score->sequence ? NULL : fv_word_pool(view->pool, score->better),
                             .gates = !gated                ? 0
                                      : ladder->gates.count ? ladder->gates.count
                                                            : 1,
                             .limit = limit};
    view->decision = NULL;
    if (!encodes)
        return report_error(FV_ERROR_MEMORY, "out of memory for the pick");
    for (int r = 0; r < ladder->count; r++) {
        const EncodeResult *result = &ladder->results[r];
        const EncodeScore *own = result->scored ? ladder_find(result, score->name) : NULL;
        encodes[r] =
            (FvLadderEncode){.name = ladder_name(ladder, result->path),
                             .codec = result->codec,
                             .group = result->group ? result->group : ladder_named_group(ladder, result->path),
                             .sentence = ladder_quality(result),
                             .width = result->width,
                             .height = result->height,
                             .rate = result->scored && result->bit_rate > 0 ? result->bit_rate : NAN,
                             .quality = ladder_value(view, result),
                             .mean = own ? own->pool[FV_POOL_MEAN] : NAN,
                             .whole = ladder_counts(result),
                             .passes = gated && passes(view, ladder, result, 1, limit)};
        params.words |= own && own->words;
    }
    const FvStatus status = fv_ladder_open(&view->decision, encodes, ladder->count, &params, &error);
    free(encodes);
    return report_error_if(status, &error);
}

/*
 * Returns the score by which encodes are compared: that of the first gate, else the one that the verdict uses, else
 * the first in tables that judges quality. NULL: no score judges.
 */
static const EncodeScore *choose_score(const Ladder *ladder)
{
    const EncodeScore *first = NULL;
    const char *name = ladder->gates.count ? ladder->gates.gates[0].output : NULL;
    for (int r = 0; r < ladder->count; r++) {
        const EncodeResult *result = &ladder->results[r];
        if (result->scored && !name && result->verdict.output >= 0)
            name = result->output_name[result->verdict.output];
    }
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->results[r].count; i++) {
            const EncodeScore *score = &ladder->results[r].scores[i];
            if (score->better == FV_NEITHER_IS_BETTER)
                continue;
            if (name && !strcmp(score->name, name))
                return score;
            if (!first && score->first)
                first = score;
        }
    return first;
}

static FvStatus compare_groups(Ladder *ladder)
{
    const FvLadder *decision = ladder->view.decision;
    const int groups = fv_ladder_groups(decision);
    FvStatus status = FV_OK;
    FvError error = {0};
    if (!(ladder->bd = calloc((size_t)groups * (size_t)groups + 1, sizeof *ladder->bd)))
        return report_error(FV_ERROR_MEMORY, "out of memory for the BD-rates of %d groups", groups);
    for (int a = 0; a < groups; a++)
        for (int g = 0; g < groups && !status; g++) {
            LadderBd *bd = &ladder->bd[ladder->bd_count];
            if (a == g)
                continue;
            *bd = (LadderBd){.anchor = a, .group = g};
            status = report_error_if(fv_ladder_bd(decision, a, g, &bd->result, &error), &error);
            ladder->bd_count += !status;
        }
    return status;
}

FvStatus ladder_rank(Ladder *ladder)
{
    LadderView *view = &ladder->view;
    const bool gated = ladder->gates.count > 0;
    FvStatus status = FV_OK;
    if (!(ladder->order = calloc((size_t)ladder->count, sizeof *ladder->order)))
        return report_error(FV_ERROR_MEMORY, "out of memory for the order of the encodes");
    for (int r = 0; r < ladder->count; r++)
        ladder->order[r] = r;
    if (!ladder->reference || ladder->results[0].reference || !(view->score = choose_score(ladder)))
        return FV_OK;
    view->pool = gated && !view->score->sequence ? ladder->gates.gates[0].pool : FV_POOL_MEAN;
    status = ladder_decide(view, ladder, gated, gated ? ladder->gates.gates[0].limit : 0);
    for (int r = 0; r < ladder->count && !status; r++)
        ladder->order[fv_ladder_place(view->decision, r)->rank - 1] = r;
    return status ? status : compare_groups(ladder);
}

int ladder_number(const Ladder *ladder, int r)
{
    return ladder->view.decision ? fv_ladder_place(ladder->view.decision, r)->rank : r + 1;
}

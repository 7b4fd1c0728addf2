/* Finds the meanings of a session's scores. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "feature/check.h"
#include "fovea/meaning.h"
#include "session/state.h"

static const FvColumn *column_at(const FvSession *session, int output)
{
    return session && output >= 0 && output < session->scores.column_count ? &session->scores.columns[output] : NULL;
}

/*
 * Returns the meaning of an output of a metric that builds the names of its outputs at run time; they begin with the
 * name of its first output.
 */
static const FvMeaning *own_meaning(const FvMetricInstance *run, int output)
{
    const char *first = run->metric->info.outputs[0].name, *rest = run->outputs[output].name;
    char name[128];
    snprintf(name, sizeof name, "%s%s", first, output ? rest + strlen(run->outputs[0].name) : "");
    const FvMeaning *meaning = fv_meaning(name);
    if (meaning)
        return meaning;
    snprintf(name, sizeof name, "%s_0000", first); /* members of a collection are numbered */
    return fv_meaning(name);
}

/* Returns the meaning whose score name is the longest prefix of `name`, which ends in a suffix of options. */
static const FvMeaning *shared_meaning(const char *name)
{
    const FvMeaning *best = NULL;
    size_t most = 0;
    for (int i = 0; i < fv_meaning_count(); i++) {
        const FvMeaning *meaning = fv_meaning_at(i);
        const size_t length = strlen(meaning->score);
        if (length > most && !strncmp(name, meaning->score, length) && (name[length] == '_' || !name[length])) {
            best = meaning;
            most = length;
        }
    }
    return best;
}

static bool is_shared(const FvMetricInstance *run, const FvColumn *column)
{
    return column->output >= run->output_count - run->shared;
}

const FvMeaning *fv_column_meaning(const FvMetricInstance *run, const FvColumn *column)
{
    if (run->outputs == run->metric->info.outputs)
        return fv_meaning(run->outputs[column->output].name);
    return is_shared(run, column) ? shared_meaning(column->info.name) : own_meaning(run, column->output);
}

const FvMeaning *fv_session_meaning(const FvSession *session, int output)
{
    FV_FLOAT_MODE;
    const FvColumn *column = column_at(session, output);
    return column ? column->meaning : session && output == FV_LOW_SECONDS ? fv_meaning("low_seconds") : NULL;
}

/* Returns whether one of the metric's outputs is shown first. */
static bool has_first(const FvSession *session, int metric)
{
    for (int i = 0; i < session->scores.column_count; i++)
        if (session->scores.columns[i].metric == metric &&
            fv_session_meaning(session, i)->display == FV_DISPLAY_FIRST)
            return true;
    return false;
}

FvDisplay fv_session_display(const FvSession *session, int output)
{
    FV_FLOAT_MODE;
    const FvColumn *column = column_at(session, output);
    if (!column)
        return FV_DISPLAY_PART;
    output -= column->field;
    if (is_shared(&session->metrics.run[column->metric], column))
        return FV_DISPLAY_PART;
    const FvDisplay shown = fv_session_meaning(session, output)->display;
    if (shown == FV_DISPLAY_FIRST || has_first(session, column->metric))
        return shown;
    const bool first = !output || session->scores.columns[output - 1].metric != column->metric;
    return first ? FV_DISPLAY_FIRST : shown;
}

FvGradeBound fv_session_grade_bound(const FvSession *session, int output)
{
    FV_FLOAT_MODE;
    const FvColumn *column = column_at(session, output);
    const FvMetricInstance *run = column ? &session->metrics.run[column->metric] : NULL;
    return run && !is_shared(run, column) ? run->bound : FV_GRADE_BOUND_NONE;
}

bool fv_session_has_grades(const FvSession *session, int output)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const bool hdr = format && fv_check_is_hdr(format);
    return meaning && meaning->grade_count && !(hdr && meaning->sdr_only);
}

bool fv_session_verdict(const FvSession *session, int output, double value, FvVerdict *verdict)
{
    FV_FLOAT_MODE;
    static const char *const words[] = {
        [FV_GRADE_BOUND_AT_MOST] = "at most ", [FV_GRADE_BOUND_AT_LEAST] = "at least "};
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvGradeBound bound = fv_session_grade_bound(session, output);
    const FvGrade *grade = NULL;
    if (!verdict)
        return false;
    *verdict = (FvVerdict){.level = 0};
    for (int i = 0; fv_session_has_grades(session, output) && i < meaning->grade_count; i++)
        if (value >= meaning->grades[i].from)
            grade = &meaning->grades[i];
    if (!grade)
        return false;
    verdict->level = grade->level;
    snprintf(verdict->word, sizeof verdict->word, "%s%s", bound ? words[bound] : "", grade->word);
    return !(bound == FV_GRADE_BOUND_AT_MOST && grade->level == 5) &&
           !(bound == FV_GRADE_BOUND_AT_LEAST && grade->level == 1);
}

int fv_session_headline(const FvSession *session)
{
    for (int s = 0; session && fv_verdict_speaker(s, !session->has_reference); s++)
        for (int i = 0; i < fv_session_outputs(session); i++)
            if (fv_session_display(session, i) == FV_DISPLAY_FIRST && fv_session_has_grades(session, i) &&
                !strcmp(fv_session_meaning(session, i)->score, fv_verdict_speaker(s, !session->has_reference)))
                return i;
    return -1;
}

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base64.h"
#include "json.h"
#include "meaning_json.h"
#include "remedy.h"
#include "verdict_json.h"
#include "view/answers.h"
#include "view/body.h"

#define MOST_SCORES 16384 /* maximum number of frames in an answer */

static void write_outputs(FvJson *json, ViewScores *scores, int count)
{
    fv_json_open(json, "outputs", '[');
    for (int o = 0; o < count; o++) {
        const FvOutputInfo *info = view_scores_output(scores, o);
        fv_json_open_line(json, NULL, '{');
        fv_output_json(json, view_scores_session(scores), o);
        fv_json_real(json, "least", info->minimum);
        fv_json_real(json, "most", info->maximum);
        fv_json_real(json, "whole", view_scores_whole(scores, o));
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_gates(FvJson *json, ViewScores *scores)
{
    static const char *const outcomes[] = {
        [FV_GATE_PASSED] = "passed", [FV_GATE_FAILED] = "failed", [FV_GATE_UNDEFINED] = "undefined"};
    const ViewGate *gate;
    fv_json_open(json, "gates", '[');
    for (int i = 0; (gate = view_scores_gate(scores, i)); i++) {
        FvGateOutcome outcome;
        double value = NAN;
        const bool known = view_scores_gate_outcome(scores, i, &outcome, &value);
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "score", gate->output);
        fv_json_text(json, "pool", fv_pool_name(gate->pool));
        fv_json_text(json, "fails", gate->above ? "above" : "below");
        fv_json_real(json, "limit", gate->limit);
        fv_json_text(json, "outcome", known ? outcomes[outcome] : NULL);
        fv_json_real(json, "value", value);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static const char *name_output(const void *session, int output)
{
    return fv_session_output(session, output)->name;
}

/*
 * Returns the session, to ask it for checks. Its scoring has ended, and the verdict has found the events of checks,
 * so threads may ask for them together.
 */
static FvSession *ended_session(ViewScores *scores)
{
    return (FvSession *)view_scores_session(scores);
}

static void write_verdict(FvJson *json, ViewScores *scores)
{
    const FvClipVerdict *verdict = view_scores_verdict(scores);
    if (verdict)
        fv_verdict_json(json, name_output, view_scores_session(scores), verdict);
    else
        fv_json_null(json, "verdict");
    fv_json_text(json, "checked", verdict ? fv_session_check_verdict(ended_session(scores)) : NULL);
}

/* Writes for each scene the index of its first frame and the count of its frames. */
static void write_scenes(FvJson *json, ViewScores *scores)
{
    fv_json_open_line(json, "scenes", '[');
    for (FvPart scene = {0}; view_scores_next_scene(scores, &scene);) {
        fv_json_open(json, NULL, '[');
        fv_json_int(json, NULL, scene.first);
        fv_json_int(json, NULL, scene.count);
        fv_json_close(json);
    }
    fv_json_close(json);
}

/* Writes the events that have a place, and those of checks. Only a session that has ended has events. */
static void write_events(FvJson *json, FvSession *session)
{
    char text[2048];
    fv_json_open(json, "events", '[');
    for (int i = 0; i < fv_session_events(session); i++) {
        const FvEvent *event = fv_session_event(session, i);
        if (!event->frames)
            continue;
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "kind", event->kind);
        fv_json_int(json, "first", event->first);
        fv_json_text(json, "text", fv_remedy_spell(text, sizeof text, event->text));
        fv_json_close(json);
    }
    for (int i = 0; i < fv_session_check_events(session); i++) {
        const FvCheckEvent *event = fv_session_check_event(session, i);
        const FvCheckInfo *info = fv_check_info(event->check);
        if (event->side == FV_REFERENCE)
            continue;
        snprintf(text, sizeof text, "%s, %" PRId64 " frame%s", info->title, event->frames,
                 event->frames == 1 ? "" : "s");
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "kind", info->name);
        fv_json_int(json, "first", event->first);
        fv_json_text(json, "text", text);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_values(FvJson *json, const ViewProgress *progress, const double *numbers, const double *values,
                         int64_t count)
{
    fv_json_begin_text(json, "numbers");
    fv_base64_reals(json->file, numbers, count, 1);
    fv_json_end_text(json);
    fv_json_open(json, "values", '[');
    for (int o = 0; o < progress->outputs; o++) {
        fv_json_begin_text(json, NULL);
        fv_base64_reals(json->file, values + o, count, progress->outputs);
        fv_json_end_text(json);
    }
    fv_json_close(json);
}

static void write_scores(FILE *file, ViewScores *scores, const ViewProgress *progress, int64_t from, double *numbers,
                         double *values)
{
    FvJson json = {.file = file};
    char text[2048];
    const int64_t count = progress->outputs ? view_scores_get(scores, from, MOST_SCORES, numbers, values) : 0;
    fv_json_open(&json, NULL, '{');
    fv_json_int(&json, "frames", progress->frames);
    fv_json_int(&json, "total", progress->total);
    fv_json_bool(&json, "ended", progress->ended);
    fv_json_text(&json, "message", fv_remedy_spell(text, sizeof text, progress->message));
    fv_json_open(&json, "decisions", '[');
    for (int i = 0; progress->ended && view_scores_decision(scores, i); i++)
        fv_json_text(&json, NULL, fv_remedy_spell(text, sizeof text, view_scores_decision(scores, i)));
    fv_json_close(&json);
    if (progress->ended)
        write_events(&json, ended_session(scores));
    write_gates(&json, scores);
    write_scenes(&json, scores);
    write_verdict(&json, scores);
    fv_json_real(&json, "bit_rate", view_scores_bit_rate(scores));
    fv_json_int(&json, "headline", progress->outputs ? fv_session_headline(view_scores_session(scores)) : -1);
    write_outputs(&json, scores, progress->outputs);
    fv_json_real(&json, "start", progress->outputs ? fv_session_time(view_scores_session(scores), 0) : NAN);
    fv_json_int(&json, "from", from);
    fv_json_int(&json, "count", count);
    write_values(&json, progress, numbers, values, count);
    fv_json_close(&json);
}

void view_answer_scores(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int encode = view_body_encode(view, request, answer);
    if (encode < 0)
        return;
    ViewScores *scores = view_clip_scores(view->clip, encode);
    const int64_t from = view_body_number(request, "from", VIEW_MOST_FRAME);
    if (from < 0) {
        view_body_refuse(answer, 400, "from= is the place of the first frame.");
        return;
    }
    ViewProgress progress;
    view_scores_progress(scores, &progress);
    double *numbers = malloc(MOST_SCORES * sizeof *numbers);
    double *values = malloc(MOST_SCORES * (size_t)(progress.outputs + 1) * sizeof *values);
    FILE *file = numbers && values ? view_body_begin(answer, 200, "application/json") : NULL;
    if (file)
        write_scores(file, scores, &progress, from, numbers, values);
    view_body_end(answer, file);
    free(numbers);
    free(values);
}

/* ---- A range -------------------------------------------------------------------------------------------------- */

static void write_pool(FILE *file, ViewScores *scores, int outputs, const double *pooled)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    fv_json_open_line(&json, "pools", '[');
    for (int p = 0; p < FV_POOL_COUNT; p++)
        fv_json_text(&json, NULL, fv_pool_name((FvPool)p));
    fv_json_close(&json);
    fv_json_open(&json, "scores", '{');
    for (int o = 0; o < outputs; o++) {
        if (view_scores_output(scores, o)->sequence)
            continue;
        fv_json_open_line(&json, view_scores_output(scores, o)->name, '[');
        for (int p = 0; p < FV_POOL_COUNT; p++)
            fv_json_real(&json, NULL, pooled[o * FV_POOL_COUNT + p]);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    fv_json_close(&json);
}

void view_answer_pool(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int encode = view_body_encode(view, request, answer);
    if (encode < 0)
        return;
    ViewScores *scores = view_clip_scores(view->clip, encode);
    const int64_t from = view_body_number(request, "from", VIEW_MOST_FRAME);
    const int64_t count = view_body_number(request, "count", VIEW_MOST_FRAME);
    ViewProgress progress;
    view_scores_progress(scores, &progress);
    double *pooled = malloc(sizeof *pooled * FV_POOL_COUNT * (size_t)(progress.outputs + 1));
    if (!pooled) {
        view_body_give_up(answer, NULL);
        return;
    }
    if (progress.outputs && from >= 0 && view_scores_pool(scores, from, count, pooled)) {
        FILE *file = view_body_begin(answer, 200, "application/json");
        if (file)
            write_pool(file, scores, progress.outputs, pooled);
        view_body_end(answer, file);
    } else
        view_body_refuse(answer, 400, "from= is the place of the first frame with scores, count= how many follow.");
    free(pooled);
}

/* ---- Times ---------------------------------------------------------------------------------------------------- */

void view_answer_times(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int encode = view_body_encode(view, request, answer);
    if (encode < 0)
        return;
    ViewScores *scores = view_clip_scores(view->clip, encode);
    ViewProgress progress;
    view_scores_progress(scores, &progress);
    const int64_t count = progress.ended ? progress.frames : 0;
    double *times = malloc(((size_t)count + 1) * sizeof *times);
    FILE *file = times ? view_body_begin(answer, 200, "application/json") : NULL;
    for (int64_t i = 0; file && i < count; i++)
        times[i] = view_scores_time(scores, i);
    if (file) {
        FvJson json = {.file = file};
        fv_json_open(&json, NULL, '{');
        fv_json_begin_text(&json, "times");
        fv_base64_reals(file, times, count, 1);
        fv_json_end_text(&json);
        fv_json_close(&json);
    }
    view_body_end(answer, file);
    free(times);
}

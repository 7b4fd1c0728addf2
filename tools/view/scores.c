#include "view/scores.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "failure.h"

#define PATIENCE 200000000 /* nanoseconds that scoring waits for requests before a frame */

/* A request to pool a range, which the scoring thread fulfils, since it uses the session. */
typedef struct Wish {
    FvPart part;
    double *pooled;
    bool done;
} Wish;

struct ViewScores {
    ViewScoresParams params;
    FvScoreParams score;
    pthread_mutex_t pooling; /* held by the thread whose request is `wish` */

    pthread_mutex_t recording; /* protects everything below */
    pthread_cond_t changed;    /* signals changes of held, stopping, wish and ended */
    ViewProgress progress;
    int held;
    bool stopping;
    Wish *wish;
    const FvClipVerdict *verdict; /* the verdict after scoring has ended; NULL: no frame was scored */
    const FvOutputInfo **outputs;
    double *numbers, *values;
    int64_t room;
};

/* ---- By the thread that scores -------------------------------------------------------------------------------- */

static FvStatus list_outputs(ViewScores *scores)
{
    const ViewScoresParams *params = &scores->params;
    const int count = fv_session_outputs(params->session);
    if (scores->outputs)
        return FV_OK;
    const FvStatus status = params->started ? params->started(params->opaque, params->session) : FV_OK;
    if (status)
        return status;
    scores->outputs = calloc((size_t)count + 1, sizeof *scores->outputs);
    for (int i = 0; scores->outputs && i < count; i++)
        scores->outputs[i] = fv_session_output(params->session, i);
    if (scores->outputs)
        scores->progress.outputs = count;
    return scores->outputs ? FV_OK : FV_ERROR_MEMORY;
}

static bool grow_scores(ViewScores *scores, int64_t frames)
{
    if (frames <= scores->room)
        return true;
    const int64_t room = frames + scores->room + 64;
    double *numbers = realloc(scores->numbers, (size_t)room * sizeof *numbers);
    if (numbers)
        scores->numbers = numbers;
    double *values = realloc(scores->values, (size_t)room * (size_t)(scores->progress.outputs + 1) * sizeof *values);
    if (values)
        scores->values = values;
    if (numbers && values)
        scores->room = room;
    return numbers && values;
}

/* Copies the scores that the session has computed so far. */
static FvStatus record_scores(ViewScores *scores)
{
    const FvSession *session = scores->params.session;
    const int64_t frames = fv_session_frames(session);
    const FvStatus status = list_outputs(scores);
    if (status || !grow_scores(scores, frames))
        return status ? status : FV_ERROR_MEMORY;
    for (int64_t i = scores->progress.frames; i < frames; i++) {
        scores->numbers[i] = (double)fv_session_frame_number(session, i);
        for (int o = 0; o < scores->progress.outputs; o++)
            scores->values[i * scores->progress.outputs + o] =
                scores->outputs[o]->sequence ? NAN : fv_session_value(session, i, o);
    }
    scores->progress.frames = frames;
    return FV_OK;
}

static void pool(ViewScores *scores, Wish *wish)
{
    for (int o = 0; o < scores->progress.outputs; o++)
        for (int p = 0; p < FV_POOL_COUNT; p++)
            wish->pooled[o * FV_POOL_COUNT + p] =
                scores->outputs[o]->sequence
                    ? NAN
                    : fv_session_pool_part(scores->params.session, o, (FvPool)p, &wish->part);
    wish->done = true;
}

static void grant(ViewScores *scores)
{
    if (scores->wish)
        pool(scores, scores->wish);
    scores->wish = NULL;
    pthread_cond_broadcast(&scores->changed);
}

/* Waits while requests for frames or maps are being answered, but not longer than PATIENCE. */
static void wait_for_others(ViewScores *scores)
{
    const struct timespec until = fv_time_in(CLOCK_REALTIME, PATIENCE);
    while (scores->held && !scores->stopping && !pthread_cond_timedwait(&scores->changed, &scores->recording, &until))
        grant(scores);
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    ViewScores *scores = opaque;
    pthread_mutex_lock(&scores->recording);
    scores->progress.total = progress->total;
    const FvStatus status = progress->frames ? record_scores(scores) : FV_OK;
    if (status)
        scores->progress.status = status;
    grant(scores);
    wait_for_others(scores);
    const bool goes_on = !status && !scores->stopping;
    pthread_mutex_unlock(&scores->recording);
    return goes_on;
}

FvEncode view_scores_work(ViewScores *scores)
{
    return (FvEncode){
        .session = scores->params.session, .distorted = scores->params.source[1], .params = &scores->score};
}

void view_scores_end(ViewScores *scores, FvStatus status, const FvError *error)
{
    FvError own_error = *error;
    pthread_mutex_lock(&scores->recording);
    const bool begun = status == FV_OK || fv_session_frames(scores->params.session) > 0;
    FvStatus recorded = begun ? record_scores(scores) : FV_OK;
    if (begun && !recorded)
        recorded = fv_session_judge(scores->params.session, &scores->verdict, &own_error);
    const FvStatus own = scores->progress.status ? scores->progress.status : recorded;
    if (own == FV_ERROR_MEMORY)
        status = fv_failure_memory(&own_error, "the viewer");
    scores->progress.status = own ? own : status;
    scores->progress.ended = true;
    snprintf(scores->progress.message, sizeof scores->progress.message, "%s", own_error.message);
    grant(scores);
    pthread_mutex_unlock(&scores->recording);
}

/* ---- By those who look ---------------------------------------------------------------------------------------- */

void view_scores_hold(ViewScores *scores)
{
    pthread_mutex_lock(&scores->recording);
    scores->held++;
    pthread_mutex_unlock(&scores->recording);
}

void view_scores_release(ViewScores *scores)
{
    pthread_mutex_lock(&scores->recording);
    scores->held--;
    pthread_cond_broadcast(&scores->changed);
    pthread_mutex_unlock(&scores->recording);
}

void view_scores_progress(ViewScores *scores, ViewProgress *progress)
{
    pthread_mutex_lock(&scores->recording);
    *progress = scores->progress;
    pthread_mutex_unlock(&scores->recording);
}

const FvOutputInfo *view_scores_output(ViewScores *scores, int output)
{
    pthread_mutex_lock(&scores->recording);
    const FvOutputInfo *info = output >= 0 && output < scores->progress.outputs ? scores->outputs[output] : NULL;
    pthread_mutex_unlock(&scores->recording);
    return info;
}

const FvSession *view_scores_session(const ViewScores *scores)
{
    return scores->params.session;
}

/* Returns whether scoring has ended, after which the session no longer changes. */
static bool has_ended(ViewScores *scores)
{
    pthread_mutex_lock(&scores->recording);
    const bool ended = scores->progress.ended && scores->progress.outputs;
    pthread_mutex_unlock(&scores->recording);
    return ended;
}

double view_scores_whole(ViewScores *scores, int output)
{
    return has_ended(scores) && scores->outputs[output]->sequence
               ? fv_session_value(scores->params.session, 0, output)
               : NAN;
}

double view_scores_bit_rate(ViewScores *scores)
{
    return has_ended(scores) ? fv_session_bit_rate(scores->params.session, FV_DISTORTED) : NAN;
}

double view_scores_time(ViewScores *scores, int64_t place)
{
    const FvSession *session = scores->params.session;
    return has_ended(scores) ? fv_session_time(session, fv_session_frame_number(session, place)) : NAN;
}

const FvClipVerdict *view_scores_verdict(ViewScores *scores)
{
    return has_ended(scores) ? scores->verdict : NULL;
}

const char *view_scores_decision(ViewScores *scores, int i)
{
    const FvSession *session = scores->params.session;
    return has_ended(scores) && i < fv_session_decisions(session) ? fv_session_decision(session, i) : NULL;
}

bool view_scores_next_scene(ViewScores *scores, FvPart *scene)
{
    return has_ended(scores) && fv_session_next_part(scores->params.session, FV_PARTS_SCENES, scene);
}

const ViewGate *view_scores_gate(const ViewScores *scores, int i)
{
    return i < scores->params.gate_count ? &scores->params.gates[i] : NULL;
}

bool view_scores_gate_outcome(ViewScores *scores, int i, FvGateOutcome *outcome, double *value)
{
    const ViewGate *gate = view_scores_gate(scores, i);
    if (!has_ended(scores) || !gate)
        return false;
    const FvSession *session = scores->params.session;
    const FvGate asked = {fv_session_find_output(session, gate->output), gate->pool, gate->above, gate->limit};
    *outcome = fv_session_gate(session, &asked, value);
    return fv_session_output(session, asked.output);
}

int64_t view_scores_get(ViewScores *scores, int64_t from, int64_t most, double *numbers, double *values)
{
    pthread_mutex_lock(&scores->recording);
    const int outputs = scores->progress.outputs;
    int64_t count = from >= 0 && from < scores->progress.frames ? scores->progress.frames - from : 0;
    count = count < most ? count : most;
    if (count) {
        memcpy(numbers, scores->numbers + from, (size_t)count * sizeof *numbers);
        memcpy(values, scores->values + from * outputs, (size_t)count * (size_t)outputs * sizeof *values);
    }
    pthread_mutex_unlock(&scores->recording);
    return count;
}

bool view_scores_pool(ViewScores *scores, int64_t from, int64_t count, double *pooled)
{
    Wish wish = {.part = {.first = from, .count = count}, .pooled = pooled};
    pthread_mutex_lock(&scores->pooling);
    pthread_mutex_lock(&scores->recording);
    const bool good = from >= 0 && count > 0 && count <= scores->progress.frames - from;
    if (good) {
        wish.part.frame = (int64_t)scores->numbers[from];
        scores->wish = &wish;
        pthread_cond_broadcast(&scores->changed);
    }
    while (good && !wish.done && !scores->progress.ended)
        pthread_cond_wait(&scores->changed, &scores->recording);
    if (good && !wish.done)
        grant(scores);
    pthread_mutex_unlock(&scores->recording);
    pthread_mutex_unlock(&scores->pooling);
    return good;
}

/* ---- Open and close ------------------------------------------------------------------------------------------- */

FvStatus view_scores_open(ViewScores **scores, const ViewScoresParams *params, FvError *error)
{
    ViewScores *s = *scores = calloc(1, sizeof *s);
    if (!s)
        return fv_failure_memory(error, "the viewer");
    s->params = *params;
    s->score = *params->params;
    s->score.progress = on_progress;
    s->score.opaque = s;
    s->progress.total = -1;
    pthread_mutex_init(&s->pooling, NULL);
    pthread_mutex_init(&s->recording, NULL);
    pthread_cond_init(&s->changed, NULL);
    return FV_OK;
}

void view_scores_stop(ViewScores *scores)
{
    pthread_mutex_lock(&scores->recording);
    scores->stopping = true;
    pthread_cond_broadcast(&scores->changed);
    pthread_mutex_unlock(&scores->recording);
}

void view_scores_close(ViewScores **scores)
{
    ViewScores *s = *scores;
    if (!s)
        return;
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->pooling);
    pthread_mutex_destroy(&s->recording);
    free(s->outputs);
    free(s->numbers);
    free(s->values);
    free(s);
    *scores = NULL;
}

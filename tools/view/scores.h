/* Scores of one encode that are computed while a browser shows it. Any number of threads may ask for them. */
#pragma once

#include "fovea/fovea.h"

typedef struct ViewScores ViewScores;

/* A quality gate, by the name of its score. */
typedef struct ViewGate {
    const char *output;
    FvPool pool;
    bool above; /* fails above the limit instead of below */
    double limit;
} ViewGate;

/* Everything outlives the scores. */
typedef struct ViewScoresParams {
    FvSession *session;          /* with its metrics, not started; for these scores alone */
    FvSource *source[2];         /* unread; [0] may be NULL, or shared with other encodes */
    const FvScoreParams *params; /* without progress */
    const ViewGate *gates;
    int gate_count;
    /* Called once the session has started, or NULL. Another status than FV_OK ends the scoring with it. */
    FvStatus (*started)(void *opaque, FvSession *session);
    void *opaque;
} ViewScoresParams;

FvStatus view_scores_open(ViewScores **scores, const ViewScoresParams *params, FvError *error);

/* After the last request; scoring has ended. */
void view_scores_close(ViewScores **scores);

/* For the one thread that scores: what it scores, which fills the scores, and what came of it. */
FvEncode view_scores_work(ViewScores *scores);
void view_scores_end(ViewScores *scores, FvStatus status, const FvError *error);

/* Scoring is to end soon; a request to stop that the session knows makes it faster. */
void view_scores_stop(ViewScores *scores);

/*
 * A request waits for a frame or a map: until it is released as often as it was held, scoring waits a while before
 * each frame.
 */
void view_scores_hold(ViewScores *scores);
void view_scores_release(ViewScores *scores);

/* How far they are. */
typedef struct ViewProgress {
    int64_t frames; /* scored so far */
    int64_t total;  /* -1: not known */
    int outputs;    /* 0 until scoring has begun */
    bool ended;
    FvStatus status; /* of the scoring, once it has ended */
    char message[1024];
} ViewProgress;

void view_scores_progress(ViewScores *scores, ViewProgress *progress);

/* Valid while the scores are open, once there are outputs. */
const FvOutputInfo *view_scores_output(ViewScores *scores, int output);

/* What its outputs mean and when its frames are may be asked for once there are outputs; nothing else, as it works.
 */
const FvSession *view_scores_session(const ViewScores *scores);

/* Of an output of the whole clip, once scoring has ended; not a number before, and of outputs of frames. */
double view_scores_whole(ViewScores *scores, int output);

/* Bits a second of the distorted video. NaN: unknown, or scoring has not ended. */
double view_scores_bit_rate(ViewScores *scores);

/* Time of the frame at a place in seconds, as in the report. NaN: unknown, or scoring has not ended. */
double view_scores_time(ViewScores *scores, int64_t place);

/* Valid while the scores are open. NULL: scoring has not ended, or no frame has scores. */
const FvClipVerdict *view_scores_verdict(ViewScores *scores);

/* What was decided on the way, one sentence after the other; NULL behind the last, and before scoring has ended. */
const char *view_scores_decision(ViewScores *scores, int i);

/* The scene behind *scene, as fv_session_next_part gives it; false before scoring has ended, too. */
bool view_scores_next_scene(ViewScores *scores, FvPart *scene);

/* NULL behind the last. Once scoring has ended, *outcome and *value get what became of it; false before. */
const ViewGate *view_scores_gate(const ViewScores *scores, int i);
bool view_scores_gate_outcome(ViewScores *scores, int i, FvGateOutcome *outcome, double *value);

/*
 * Numbers and values of frames from the one at place `from` on: values[i * outputs + output]. Returns how many, at
 * most `most`.
 */
int64_t view_scores_get(ViewScores *scores, int64_t from, int64_t most, double *numbers, double *values);

/*
 * Pooled over `count` frames from the one at place `from` on: pooled[output * FV_POOL_COUNT + pool], not a number for
 * outputs of the whole clip. False when not all of them have scores. While scoring runs it may take as long as a
 * frame.
 */
bool view_scores_pool(ViewScores *scores, int64_t from, int64_t count, double *pooled);

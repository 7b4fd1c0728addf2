/* Computes the scores of one encode while a browser shows it. Any number of threads may read the scores. */
#pragma once

#include "fovea/fovea.h"

typedef struct ViewScores ViewScores;

/* A quality gate, by the name of its score. */
typedef struct ViewGate {
    const char *output;
    FvPool pool;
    bool above; /* the gate fails above the limit instead of below it */
    double limit;
} ViewGate;

/* The parameters; everything that they point to must outlive the scores. */
typedef struct ViewScoresParams {
    FvSession *session;  /* a session with its metrics, not started, for these scores alone */
    FvSource *source[2]; /* reference and distorted video, unread; [0] may be NULL, or shared with other encodes */
    const FvScoreParams *params; /* parameters without a progress callback */
    const ViewGate *gates;
    int gate_count;
    /* Called when the session has started; may be NULL. A failure ends the scoring with this status. */
    FvStatus (*started)(void *opaque, FvSession *session);
    void *opaque;
} ViewScoresParams;

FvStatus view_scores_open(ViewScores **scores, const ViewScoresParams *params, FvError *error);

/* Frees the scores. Call after scoring has ended and the last request is answered. */
void view_scores_close(ViewScores **scores);

/*
 * For the scoring thread: view_scores_work() returns the encode to score, whose callbacks fill the scores;
 * view_scores_end() records the result.
 */
FvEncode view_scores_work(ViewScores *scores);
void view_scores_end(ViewScores *scores, FvStatus status, const FvError *error);

/* Asks scoring to end soon. A stop request on the session's FvCancel makes this faster. */
void view_scores_stop(ViewScores *scores);

/*
 * Tells scoring that a request waits for a frame or a map. Until each hold is released, scoring pauses for a while
 * before each frame.
 */
void view_scores_hold(ViewScores *scores);
void view_scores_release(ViewScores *scores);

/* The progress of scoring. */
typedef struct ViewProgress {
    int64_t frames; /* number of frames scored so far */
    int64_t total;  /* number of frames to score; -1: unknown */
    int outputs;    /* number of outputs; 0 until scoring has begun */
    bool ended;
    FvStatus status; /* status of the scoring, after it has ended */
    char message[1024];
} ViewProgress;

void view_scores_progress(ViewScores *scores, ViewProgress *progress);

/* Returns an output. Call only when there are outputs; the result is valid while the scores are open. */
const FvOutputInfo *view_scores_output(ViewScores *scores, int output);

/*
 * Returns the session. When there are outputs, callers may ask it for the meanings of outputs and the times of
 * frames, but for nothing else, because the scoring thread uses it.
 */
const FvSession *view_scores_session(const ViewScores *scores);

/* Returns the value of an output of the whole clip. NaN: scoring has not ended, or the output is of frames. */
double view_scores_whole(ViewScores *scores, int output);

/* Returns the bit rate of the distorted video, in bits per second. NaN: unknown, or scoring has not ended. */
double view_scores_bit_rate(ViewScores *scores);

/*
 * Returns the time of the frame at index `place`, in seconds, as in the report. NaN: unknown, or scoring has not
 * ended.
 */
double view_scores_time(ViewScores *scores, int64_t place);

/*
 * Returns the verdict, which is valid while the scores are open. NULL: scoring has not ended, or no frame has scores.
 */
const FvClipVerdict *view_scores_verdict(ViewScores *scores);

/* Returns decision i of the run, a sentence; NULL after the last, and before scoring has ended. */
const char *view_scores_decision(ViewScores *scores, int i);

/*
 * Sets *scene to the next scene, as fv_session_next_part() does; false after the last, and before scoring has ended.
 */
bool view_scores_next_scene(ViewScores *scores, FvPart *scene);

/*
 * view_scores_gate() returns gate i; NULL after the last. view_scores_gate_outcome() returns the gate's outcome and
 * value; false before scoring has ended.
 */
const ViewGate *view_scores_gate(const ViewScores *scores, int i);
bool view_scores_gate_outcome(ViewScores *scores, int i, FvGateOutcome *outcome, double *value);

/*
 * Copies numbers and values of at most `most` frames from index `from` on; values[i * outputs + output] is of frame
 * `from` + i. Returns the number of frames.
 */
int64_t view_scores_get(ViewScores *scores, int64_t from, int64_t most, double *numbers, double *values);

/*
 * Pools the values of `count` frames from index `from` on into pooled[output * FV_POOL_COUNT + pool]; NaN for outputs
 * of the whole clip. false: some of the frames have no scores. While scoring runs, the call may take as long as the
 * scoring of a frame.
 */
bool view_scores_pool(ViewScores *scores, int64_t from, int64_t count, double *pooled);

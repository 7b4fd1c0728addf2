/* Sessions: one run of some metrics over one pair of videos. */
#ifndef FOVEA_SESSION_H
#define FOVEA_SESSION_H

#include <fovea/cancel.h>
#include <fovea/frame.h>
#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One run of some metrics over one pair of videos. */
typedef struct FvSession FvSession;

typedef enum FvLogLevel { FV_LOG_ERROR, FV_LOG_WARNING, FV_LOG_INFO } FvLogLevel;

typedef struct FvSessionParams {
    const char *device; /* NULL or "auto", "cpu", "vulkan[:N]", "cuda[:N]" */
    const char *isa; /* NULL or "auto", "scalar", "sse2", "avx2", "avx512", "neon": the best the CPU device may use */
    int threads;     /* [0, 1024]; 0: one per processor. 1: everything happens in the caller's thread */
    int in_flight;   /* frame pairs being worked on at once, [0, 1024]; 0: chosen from threads */
    void (*log)(void *opaque, FvLogLevel level,
                const char *message); /* NULL: silent. Called from the caller's thread */
    void *opaque;
    const FvCancel *cancel; /* or NULL. Once requested, fv_score and waiting for a report's reader end */
    int64_t interval;       /* microseconds, >= 0: reports also pool the scores of each such interval; 0: not */
    bool scenes;        /* fv_score finds scenes, and reports also pool the scores of each. Pictures from 64x36 on */
    void *cuda_context; /* a CUcontext of the caller's that the session works in, to read what was allocated there; it
                           stays until the session is closed. NULL: the device's primary one. With it, device is NULL,
                           "auto", "cuda", or the context's own "cuda:N" */
} FvSessionParams;

/*
 * Memory held by a session and its two sources, whatever the clip's length: at most
 *     (in_flight + 4) x (bytes of a reference frame + bytes of a distorted frame), 5 when a metric looks two frames
 * back
 *   + in_flight x (bytes of the features' working memory per frame + bytes of the maps wanted of it)
 *   + bytes of what features keep from frame to frame
 *   + threads x (scratch of the feature that needs most)
 *   + 8 bytes per output and frame (the scores, kept for percentiles) and per term and frame (what they come from).
 * fv_session_memory() gives all but the last line in bytes for a started session.
 */
FV_API FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error);

/*
 * Adds a metric before the first frame: "name" or "name=option=value:option=value", or several with commas between
 * them, all or none. In values a backslash takes the meaning from the character behind it, and '...' from everything
 * between but a quote, as in FFmpeg's filter strings, but there is one level only: heatmaps_path='a:b,c' or
 * heatmaps_path=a\:b\,c. An unknown name or option is FV_ERROR_USAGE and the message names the nearest known one.
 * Files that options of type FV_OPTION_PATH name are read now; one that cannot be is FV_ERROR_INPUT.
 */
FV_API FvStatus fv_session_add(FvSession *session, const char *metric, FvError *error);

/* The metrics that were added, in order; a metric may be there more than once. */
FV_API int fv_session_metrics(const FvSession *session);
FV_API const FvMetricInfo *fv_session_metric(const FvSession *session, int metric);

/*
 * "name" or "name=option=value:...", with the options that differ from their defaults, as fv_session_add and
 * fv_still_map read it; into text, always terminated. FV_ERROR_USAGE when there is no such metric, or no room.
 */
FV_API FvStatus fv_session_metric_text(const FvSession *session, int metric, char *text, size_t size, FvError *error);

/* One map of one metric for some frames. */
typedef struct FvMapRequest {
    int metric, map;                             /* in the order of fv_session_add; in FvMetricInfo.maps */
    bool (*wants)(void *opaque, int64_t number); /* whether it is wanted of this frame; NULL: of every one */
    /* Called in the order of frames, in the thread that pushes or finishes; it must not push, finish or close the
     * same session. Another status than FV_OK, which must be that of an error, ends the session with it. */
    FvStatus (*take)(void *opaque, const FvMap *map, FvError *error);
    void *opaque;
} FvMapRequest;

/*
 * Before the session is started. Maps of skipped frames are not made. What is not wanted costs nothing; each map that
 * is takes its memory in_flight times. Frames of which a map is wanted that the device has no kernels for are
 * computed on the CPU, with `wants` NULL all of them; fv_session_decision() says so.
 */
FV_API FvStatus fv_session_want_map(FvSession *session, const FvMapRequest *request, FvError *error);

/* Whether any metric that was added needs a reference. */
FV_API bool fv_session_needs_reference(const FvSession *session);

/*
 * Fixes the formats and prepares every metric; reference is NULL when there is none. FV_ERROR_INPUT when the pair
 * or a metric does not allow them. fv_score() calls it itself.
 */
FV_API FvStatus fv_session_start(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                 FvError *error);

FV_API uint64_t fv_session_memory(const FvSession *session);

/*
 * Hands over frame number `number` of both videos (reference NULL when there is none). The session takes references
 * of its own. Frames are scored in the order of the calls. Blocks while in_flight pairs are in flight.
 */
FV_API FvStatus fv_session_push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/* Hands over a frame that gets no scores (subsampling) but that metrics which look back must see. */
FV_API FvStatus fv_session_skip(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/*
 * Waits until every pushed frame has been worked on. Scores that look at later frames still wait for these, and as a
 * frame counts once all its scores are there, so does fv_session_frames(). More frames may follow.
 */
FV_API FvStatus fv_session_wait(FvSession *session, FvError *error);

/* Waits until every pushed frame is scored, then computes the values of the whole sequence. */
FV_API FvStatus fv_session_finish(FvSession *session, FvError *error);

/*
 * Frames scored so far, in order of pushing, and their values. Grows during push and is complete after finish: a
 * frame counts once all its scores are there, those that wait for later frames included.
 */
FV_API int64_t fv_session_frames(const FvSession *session);
FV_API int64_t fv_session_frame_number(const FvSession *session, int64_t frame);

/* The outputs this session has, in the order of the metrics and of their descriptors. Complete after start. */
FV_API int fv_session_outputs(const FvSession *session);
FV_API const FvOutputInfo *fv_session_output(const FvSession *session, int output);

/*
 * Where an output comes from: the metric in the order of fv_session_add, and its own output in FvMetricInfo.outputs,
 * which a metric that makes names of its own (vmaf) does not have: NULL. The name there never has a suffix.
 */
FV_API const FvOutputInfo *fv_session_output_origin(const FvSession *session, int output, int *metric);

/*
 * Value of a per-frame output. May be infinite or not a number where the metric says so. For a sequence output
 * `frame` is ignored and the value is that of the clip (not a number before finish).
 */
FV_API double fv_session_value(const FvSession *session, int64_t frame, int output);

/*
 * What a frame leaves behind before there are scores: integers that are exact, and binary64 numbers. All scores are
 * functions of these terms.
 */
typedef enum FvTermType { FV_TERM_INTEGER, FV_TERM_REAL } FvTermType;

typedef union FvTerm {
    int64_t integer;
    double real;
} FvTerm;

typedef struct FvTermInfo {
    const char *name;
    FvTermType type;
} FvTermInfo;

/*
 * The rows of terms: one for every frame that is done, skipped ones included, in order of pushing. A row has
 * fv_session_terms() terms, those of every feature that a metric of the session needs; `feature`, which may be NULL,
 * gets the name of the one that term `term` belongs to. A row is valid until the next call that changes the session;
 * of a skipped frame, the terms of features that are not computed then are 0. Complete after finish. Scores may
 * follow their rows with a delay, when a metric looks at later frames.
 */
FV_API int fv_session_terms(const FvSession *session);
FV_API const FvTermInfo *fv_session_term(const FvSession *session, int term, const char **feature);
FV_API int64_t fv_session_rows(const FvSession *session);
FV_API const FvTerm *fv_session_row(const FvSession *session, int64_t row, int64_t *number, bool *skipped);

/*
 * What was decided on the way, one sentence each, in the order of deciding: a rate difference that was ignored, a
 * metric that went to the CPU, samples that were brought to a common depth. Empty for most sessions.
 */
FV_API int fv_session_decisions(const FvSession *session);
FV_API const char *fv_session_decision(const FvSession *session, int i);

FV_API void fv_session_close(FvSession **session);

#ifdef __cplusplus
}
#endif

#endif

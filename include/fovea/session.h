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
    const char *isa;    /* limit for the CPU device: "scalar", "sse2", "avx2", "avx512", "neon", "simd128"; NULL or
                           "auto": none */
    int threads;        /* [0, 1024]; 0: fv_processors(). 1: everything runs in the caller's thread */
    int in_flight;      /* frame pairs in work at once, [0, 1024]; 0: depends on threads */
    void (*log)(void *opaque, FvLogLevel level,
                const char *message); /* NULL: silent. Called from the caller's thread */
    void *opaque;
    const FvCancel *cancel; /* or NULL. A stop request ends fv_score, fv_session_push, skip, wait and finish once the
                               frame under way is done, and waiting for a report's reader */
    int64_t interval;   /* microseconds, >= 0: reports also pool the scores of each interval of this length; 0: not */
    bool overwrite;     /* files that metrics write, such as heat maps, may replace older ones */
    bool scenes;        /* fv_score finds scenes, and reports also pool the scores of each. Needs 64x36 or more */
    void *cuda_context; /* the caller's CUcontext, in which the session works to read memory allocated there; it must
                           outlive the session. NULL: the device's primary context. With a context, device is NULL,
                           "auto", "cuda", or the context's own "cuda:N" */
} FvSessionParams;

/*
 * Opens a session. A session and its two sources hold, for a clip of any length, at most this memory:
 *     (in_flight + 4) x (bytes of a reference frame + bytes of a distorted frame); in_flight + 5 when a metric looks
 *     two frames back
 *   + in_flight x (bytes of the features' working memory per frame + bytes of the requested maps of a frame)
 *   + bytes that features keep from frame to frame
 *   + threads x (scratch bytes of the feature that needs most)
 *   + 8 bytes per output and frame (the scores, kept for percentiles) and per term and frame (see FvTerm).
 * fv_session_memory() returns the sum without the last line, for a started session.
 */
FV_API FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error);

/*
 * Adds a metric before the first frame: "name" or "name=option=value:option=value", or several with commas between
 * them, all or none. Special characters in values are escaped by a backslash or by quotes '...', as in FFmpeg's
 * filter strings but on one level only: heatmaps_path='a:b,c' or heatmaps_path=a\:b\,c. FV_ERROR_USAGE: a name or
 * option is unknown; the message names the nearest known one. Files named by options of type FV_OPTION_PATH are read
 * now. FV_ERROR_INPUT: one of them cannot be read.
 */
FV_API FvStatus fv_session_add(FvSession *session, const char *metric, FvError *error);

/*
 * Adds the metrics that the command computes when none is named: vmaf, psnr and psnr_hvs. Without vmaf or psnr_hvs,
 * after a warning in the log, where they cannot score videos of these formats; allow_hdr: VMAF's models score PQ and
 * HLG. The formats are those of fv_session_start(). For sources there is fv_score_add_usual().
 */
FV_API FvStatus fv_session_add_usual(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                     bool allow_hdr, FvError *error);

/* The added metrics, in order; a metric may occur more than once. */
FV_API int fv_session_metrics(const FvSession *session);
FV_API const FvMetricInfo *fv_session_metric(const FvSession *session, int metric);

/*
 * Writes "name" or "name=option=value:...", with the options that differ from their defaults, in the syntax of
 * fv_session_add and fv_still_map into text, always terminated. FV_ERROR_USAGE: `metric` is out of range, or `size`
 * too small.
 */
FV_API FvStatus fv_session_metric_text(const FvSession *session, int metric, char *text, size_t size, FvError *error);

/* What else readers of a metric's scores should know, in a sentence; NULL: nothing. From start on. */
FV_API const char *fv_session_remark(const FvSession *session, int metric);

/* One map of one metric for some frames. */
typedef struct FvMapRequest {
    int metric, map;                             /* in the order of fv_session_add; in FvMetricInfo.maps */
    bool (*wants)(void *opaque, int64_t number); /* whether to make the map of this frame; NULL: of every frame */
    /* Takes a map: called in the order of frames, in the thread that pushes or finishes. It must not push, finish or
     * close the same session. An error status ends the session with that status; FV_END is not allowed. */
    FvStatus (*take)(void *opaque, const FvMap *map, FvError *error);
    void *opaque;
} FvMapRequest;

/*
 * Requests a map, before the session is started. Skipped frames have no maps. A requested map takes its memory
 * in_flight times. When the device has no kernels for a map, the CPU computes the frames whose map is requested;
 * fv_session_decision() says so.
 */
FV_API FvStatus fv_session_want_map(FvSession *session, const FvMapRequest *request, FvError *error);

/* Whether any added metric needs a reference. */
FV_API bool fv_session_needs_reference(const FvSession *session);

/*
 * Fixes the formats and prepares every metric; reference NULL: there is none. Metrics follow the colour in the
 * formats: transfer, primaries, matrix, range, siting and peak. FV_ERROR_INPUT: the formats do not fit together, or a
 * metric does not take them; FV_ERROR_USAGE: a metric has no model for their colour, and the message names the option
 * that says what counts. fv_score() calls it.
 */
FV_API FvStatus fv_session_start(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                 FvError *error);

FV_API uint64_t fv_session_memory(const FvSession *session);

/*
 * Hands over frame number `number` of both videos (reference NULL: there is none). The session takes its own
 * references. Frames are scored in the order of the calls. Blocks while in_flight pairs are in work.
 * FV_ERROR_PARTIAL: a stop was requested. The session has then failed, and keeps the scores so far.
 */
FV_API FvStatus fv_session_push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/* Hands over a frame that is not scored (subsampling) but that metrics which look back need. */
FV_API FvStatus fv_session_skip(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/*
 * Waits until all work on the pushed frames is done. Scores that need later frames stay pending, and
 * fv_session_frames() does not count their frames yet. More frames may follow.
 */
FV_API FvStatus fv_session_wait(FvSession *session, FvError *error);

/* Ends the input: waits until every pushed frame is scored, then computes the values of the whole sequence. */
FV_API FvStatus fv_session_finish(FvSession *session, FvError *error);

/*
 * Gives back the threads, the device and the working memory of a session that has finished or failed, including one
 * that fv_score() used. Scores, terms, gates, decisions and reports stay. Frames that lie on its device must have
 * been released. FV_ERROR_USAGE: the session has not ended. A second call does nothing.
 */
FV_API FvStatus fv_session_let_go(FvSession *session, FvError *error);

/*
 * The number of frames scored so far, and their numbers, in the order of pushing. It grows during push and is
 * complete after finish. A frame counts once it has all its scores, including those that need later frames.
 */
FV_API int64_t fv_session_frames(const FvSession *session);
FV_API int64_t fv_session_frame_number(const FvSession *session, int64_t frame);

/* The session's outputs, in the order of the metrics and of their descriptors. Complete after start. */
FV_API int fv_session_outputs(const FvSession *session);
FV_API const FvOutputInfo *fv_session_output(const FvSession *session, int output);

/*
 * The origin of an output: *metric gets its metric in the order of fv_session_add. Returns the metric's own output in
 * FvMetricInfo.outputs, whose name has no suffix; NULL for a metric that makes names of its own (vmaf).
 */
FV_API const FvOutputInfo *fv_session_output_origin(const FvSession *session, int output, int *metric);

/*
 * The value of a per-frame output. It may be infinite or NaN where the metric documents it. For a sequence output
 * `frame` is ignored and the value is the clip's (NaN before finish).
 */
FV_API double fv_session_value(const FvSession *session, int64_t frame, int output);

/*
 * The results of a frame from which all scores are computed: exact integers, and binary64 numbers.
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
 * The rows of terms: one for every finished frame, skipped ones included, in the order of pushing; complete after
 * finish. A row has fv_session_terms() terms: the terms of every feature that a metric of the session needs. *feature
 * gets the name of the feature of term `term`; feature may be NULL. A row is valid until the next call that changes
 * the session. For a skipped frame, features that are not computed have terms of 0. Scores appear later than their
 * rows when a metric looks at later frames.
 */
FV_API int fv_session_terms(const FvSession *session);
FV_API const FvTermInfo *fv_session_term(const FvSession *session, int term, const char **feature);
FV_API int64_t fv_session_rows(const FvSession *session);
FV_API const FvTerm *fv_session_row(const FvSession *session, int64_t row, int64_t *number, bool *skipped);

/*
 * Decisions that the session made, one sentence each, in order: a rate difference that was ignored, a metric that the
 * CPU computes, samples converted to a common depth. One that begins with "warning: " changes what the scores mean.
 */
FV_API int fv_session_decisions(const FvSession *session);
FV_API const char *fv_session_decision(const FvSession *session, int i);

/*
 * Something that was found in the videos. Each of severity "warning" is a decision, too, which has its text. Strings
 * belong to the session. docs/report.md lists the kinds and what `value` is of each.
 */
typedef struct FvEvent {
    const char *kind;      /* one word for programs: "matrix", "offset", "frozen" */
    const char *severity;  /* "warning" */
    bool sided;            /* one of the two videos is meant: */
    FvSide side;           /* this one */
    int64_t first, frames; /* number of its first distorted frame, and of all its frames; `frames` 0: the whole
                              videos, -1: from `first` on */
    const char *fit;       /* the map of colours that explains a difference: "matrix bt709 bt601"; NULL: none */
    int gain;              /* dB by which the videos differ less with it, [1, 60]; 0: not known */
    double value;          /* in this unit; NULL: there is no value */
    const char *unit;      /* "frames", "lines", "degrees", "percent" */
    const char *text;      /* one sentence */
    const char *remedy;    /* parameters, a space between them, in the spelling of error.h; NULL: none */
} FvEvent;

FV_API int fv_session_events(const FvSession *session);
FV_API const FvEvent *fv_session_event(const FvSession *session, int i);

/* The reason why the scores do not cover the whole videos, in a sentence; NULL: they do. */
FV_API const char *fv_session_partial(const FvSession *session);

/*
 * Whether every sample of all frames of both videos was compared and is equal. Only fv_score() compares, of frames
 * that it has in host memory; with several shards nothing is compared.
 */
FV_API bool fv_session_identical(const FvSession *session);

/*
 * The time of frame number `number` in seconds from the start of the distorted video: of a scored frame by the
 * times in the file where its frame rate varies, once fv_score() has ended, else by the frame rate. NaN: it is not
 * known.
 */
FV_API double fv_session_time(const FvSession *session, int64_t number);

/*
 * Its SMPTE time code in the distorted video, "10:00:00:00" or with dropped numbers "10:00:00;00". False and "" when
 * the file has none.
 */
FV_API bool fv_session_timecode(const FvSession *session, int64_t number, char text[FV_TIMECODE_TEXT]);

/*
 * Bits a second of a video's stream, from the packets of the frames from the first to the last scored one; container
 * and other streams do not count. NaN: not known, as of pipes, raw video, Y4M and images.
 */
FV_API double fv_session_bit_rate(const FvSession *session, FvSide side);

/*
 * The packet of the distorted video that made frame index `frame`: its bytes, and whether the container calls it a
 * key frame. bytes and key may be NULL. False: not known.
 */
FV_API bool fv_session_packet(const FvSession *session, int64_t frame, int64_t *bytes, bool *key);

/* The formats that are compared: after cropping, scaling and conversion. NULL: before start, or no reference. */
FV_API const FvFormat *fv_session_format(const FvSession *session, FvSide side);

FV_API void fv_session_close(FvSession **session);

#ifdef __cplusplus
}
#endif

#endif

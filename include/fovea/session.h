/*
 * Sessions: one run of some metrics over one pair of videos. A program that scores one pair of frames:
 *
 *     #include <fovea/fovea.h>
 *
 *     FvStatus score_pair(FvFrame *reference, FvFrame *distorted, double *psnr, FvError *error);
 *
 *     FvStatus score_pair(FvFrame *reference, FvFrame *distorted, double *psnr, FvError *error)
 *     {
 *         FvSession *session = NULL;
 *         FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = "cpu"}, error);
 *         if (!status)
 *             status = fv_session_add(session, "psnr", error);
 *         if (!status)
 *             status = fv_session_start(session, &reference->format, &distorted->format, error);
 *         if (!status)
 *             status = fv_session_push(session, 0, reference, distorted, error);
 *         if (!status)
 *             status = fv_session_finish(session, error);
 *         if (!status)
 *             *psnr = fv_session_value(session, 0, 0);
 *         fv_session_close(&session);
 *         return status;
 *     }
 */
#ifndef FOVEA_SESSION_H
#define FOVEA_SESSION_H

#include <fovea/cancel.h>
#include <fovea/frame.h>
#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A session: one run of some metrics over one pair of videos. One thread at a time. */
typedef struct FvSession FvSession;

typedef enum FvLogLevel { FV_LOG_ERROR, FV_LOG_WARNING, FV_LOG_INFO } FvLogLevel;

typedef struct FvSessionParams {
    const char *device; /* NULL or "auto", "cpu", "vulkan[:N]", "cuda[:N]", "hip[:N]" */
    const char *isa;    /* the best instruction set that the CPU may use: "scalar", "sse2", "avx2", "avx512", "neon",
                           "simd128"; NULL or "auto": the best that it has */
    int threads; /* number of threads, [0, 1024]; 0: fv_processors(), at most 1024. 1: the CPU scores in the caller's
                    thread */
    int in_flight; /* largest number of pairs in work at once, [0, 1024]; 0: chosen by the device. With one thread on
                      the CPU it is always 1 */
    void (*log)(void *opaque, FvLogLevel level,
                const char *message); /* receives messages, in the thread that uses the session; NULL: no messages */
    void *opaque;
    const FvCancel *cancel; /* or NULL. A stop request ends fv_score() and fv_session_push(), skip, wait and finish
                               after the current frame, and also a wait for a report's reader */
    int64_t interval;       /* length of the intervals that reports also pool, in microseconds, >= 0; 0: none */
    bool overwrite;         /* files that metrics write, such as heat maps, may replace existing ones */
    bool scenes; /* fv_score() finds scenes, and reports also pool the scores of each. Frames need 64x36 samples or
                    more */
    void *cuda_context; /* the caller's CUcontext, in which the session then works, so that it can read memory
                           allocated there; it must outlive the session. NULL: the device's primary context. With a
                           context, device is NULL, "auto", "cuda", or the context's own "cuda:N" */
} FvSessionParams;

/*
 * Opens a session, which the caller closes. For a clip of any length, a session and its two sources use at most this
 * memory:
 *     (in_flight + 4) x (bytes of a reference frame + bytes of a distorted frame); in_flight + 5 when a metric looks
 *     two frames back
 *   + in_flight x (bytes of the features' working memory per frame + bytes of the requested maps of a frame)
 *   + bytes that features keep from frame to frame
 *   + threads x (scratch bytes of the feature that needs most)
 *   + 8 bytes per output and frame (the scores, kept for percentiles) and per term and frame (see FvTerm).
 * fv_session_memory() returns the sum without the last line. It returns 0 before the session is started.
 * FV_ERROR_USAGE: a parameter is out of its range, or `device` or `isa` is none of these names. FV_ERROR_DEVICE: the
 * device does not exist or cannot be opened, or the CPU cannot run the instruction set. With "auto" and without a
 * CUDA context, this call opens no GPU.
 */
FV_API FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error);

/*
 * Adds a metric before the first frame: "name" or "name=option=value:option=value", or several separated by commas,
 * of which either all or none are added. Special characters in values are escaped by a backslash or by quotes '...',
 * as in FFmpeg's filter strings but on one level only: heatmaps_path='a:b,c' or heatmaps_path=a\:b\,c.
 * FV_ERROR_USAGE: a name, an option or its value is unknown, or the session has been started; for an unknown name the
 * message gives the nearest known one, if one is near. Files named by options of type FV_OPTION_PATH are read now.
 * FV_ERROR_INPUT: one of them cannot be read.
 */
FV_API FvStatus fv_session_add(FvSession *session, const char *metric, FvError *error);

/*
 * Adds the default metrics, which the command computes when none is named: vmaf, psnr and psnr_hvs. Videos in PQ and
 * HLG get cvvdp and pu_psnr in place of vmaf, or besides it with allow_hdr. A metric other than psnr that cannot
 * score videos of these formats is left out after a warning in the log. If the formats differ in size or chroma
 * format, only psnr and psnr_hvs are added. The formats are those for fv_session_start(); both are required. For
 * sources use fv_score_add_default().
 */
FV_API FvStatus fv_session_add_default(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                       bool allow_hdr, FvError *error);

/*
 * Return the number of added metrics, and metric i in [0, count), else NULL, in the order in which they were added. A
 * metric may occur more than once.
 */
FV_API int fv_session_metrics(const FvSession *session);
FV_API const FvMetricInfo *fv_session_metric(const FvSession *session, int metric);

/*
 * Writes a metric to text, always terminated, as "name" or, with the options that differ from their defaults, as
 * "name=option=value:...", in the syntax of fv_session_add() and fv_still_map(). FV_ERROR_USAGE: `metric` is out of
 * range, or `size` is too small.
 */
FV_API FvStatus fv_session_metric_text(const FvSession *session, int metric, char *text, size_t size, FvError *error);

/*
 * Returns a note that readers of a metric's scores should know, a sentence; NULL: there is none so far.
 * fv_session_start() and fv_session_finish() make notes. The text belongs to the session.
 */
FV_API const char *fv_session_note(const FvSession *session, int metric);

/* A request for one map of one metric, for some or all frames. */
typedef struct FvMapRequest {
    int metric, map;                              /* index of the metric, and of the map in its maps */
    bool (*filter)(void *opaque, int64_t number); /* returns whether to make this frame's map; NULL: all frames */
    /*
     * Receives a map. It is called in the order of frames, in the thread that pushes or finishes, and must not push,
     * finish or close the same session. An error status ends the session with that status. FV_END, or a value that is
     * no status, ends it with FV_ERROR_USAGE.
     */
    FvStatus (*on_map)(void *opaque, const FvMap *map, FvError *error);
    void *opaque;
} FvMapRequest;

/*
 * Requests a map. Call it before the session is started. Skipped frames have no maps. A requested map needs its
 * memory in_flight times. When the device has no kernels for a map, the CPU computes the frames whose map is
 * requested, and a decision says so (fv_session_decision()). FV_ERROR_USAGE: the map does not exist, `on_map` is
 * NULL, or the session has been started.
 */
FV_API FvStatus fv_session_want_map(FvSession *session, const FvMapRequest *request, FvError *error);

/* Returns whether any added metric needs a reference. */
FV_API bool fv_session_needs_reference(const FvSession *session);

/*
 * Starts a session: fixes the formats and prepares every metric; reference NULL: there is none. fv_score() calls it.
 * Metrics follow the colour in the formats: transfer, primaries, matrix, range, siting and peak. FV_ERROR_INPUT: the
 * formats differ in size, chroma format or depth, or a metric does not accept them. FV_ERROR_USAGE: a format is out
 * of its range, no metric was added, a metric needs a reference or has no model for the colour, or the session has
 * been started before. FV_ERROR_DEVICE: the device failed. FV_ERROR_OUTPUT: a metric cannot make its folder for maps.
 * After a failure the session cannot be started again.
 */
FV_API FvStatus fv_session_start(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                 FvError *error);

FV_API uint64_t fv_session_memory(const FvSession *session);

/*
 * Pushes frame number `number` of both videos; reference NULL: there is none. The session takes its own references.
 * Frames are scored in the order of the calls. Blocks while in_flight pairs are in work. FV_ERROR_USAGE: a frame is
 * missing, or the session is not running. FV_ERROR_INPUT: a frame has another format than the session, or a sample
 * exceeds its depth. FV_ERROR_PARTIAL: a stop was requested; the session has then failed and keeps the scores so far.
 * The failure of an earlier pair can be returned, too.
 */
FV_API FvStatus fv_session_push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/*
 * Pushes a pair that is not scored (subsampling) but that metrics which look back may need. Fails as
 * fv_session_push() does.
 */
FV_API FvStatus fv_session_skip(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/*
 * Waits until all work on the pushed frames is done. Scores that need later frames stay pending, and
 * fv_session_frames() does not count their frames yet. More frames may follow. FV_ERROR_USAGE: the session is not
 * running, or a map callback calls it. FV_ERROR_PARTIAL: a stop was requested.
 */
FV_API FvStatus fv_session_wait(FvSession *session, FvError *error);

/*
 * Ends the input: waits until every pushed frame is scored, then computes the values of the whole sequence. Fails as
 * fv_session_wait() does.
 */
FV_API FvStatus fv_session_finish(FvSession *session, FvError *error);

/*
 * Releases the threads, the device and the working memory of a session that has finished or failed, also after
 * fv_score(). Scores, terms, gates, decisions and reports remain available. Frames in its device's memory must have
 * been released before. A second call does nothing. FV_ERROR_USAGE: the session has not ended.
 */
FV_API FvStatus fv_session_release(FvSession *session, FvError *error);

/*
 * Return the count of frames scored so far, and the number with which frame i of [0, count) was pushed, in the order
 * of pushing; else -1. The count grows during push and is complete after finish. A frame counts once it has all its
 * scores, including those that need later frames.
 */
FV_API int64_t fv_session_frames(const FvSession *session);
FV_API int64_t fv_session_frame_number(const FvSession *session, int64_t frame);

/*
 * Return the number of the session's outputs, and output i in [0, count), else NULL, in the order of the metrics and
 * of their descriptors. Complete after start.
 */
FV_API int fv_session_outputs(const FvSession *session);
FV_API const FvOutputInfo *fv_session_output(const FvSession *session, int output);

/*
 * Stands for FvClipVerdict.low_seconds in the place of an output's index: in FvGate, and for fv_session_output() and
 * fv_session_meaning(), which describe it as a sequence output. It is not counted by fv_session_outputs();
 * fv_session_gate() returns its value.
 */
#define FV_LOW_SECONDS (-2)

/* Returns the index of the output of that name, FV_LOW_SECONDS for "low_seconds", or -1 if there is none. */
FV_API int fv_session_find_output(const FvSession *session, const char *name);

/*
 * Returns the entry of FvMetricInfo.outputs from which an output is made, with a name without suffixes; NULL for a
 * metric that makes its own names (vmaf). *metric gets the index of its metric, in the order of fv_session_add().
 */
FV_API const FvOutputInfo *fv_session_output_origin(const FvSession *session, int output, int *metric);

/*
 * Returns the value of an output for a frame, counted as fv_session_frames() counts. It may be infinite or NaN where
 * the metric documents it. For a sequence output, `frame` is ignored and the value is the clip's (NaN before finish).
 */
FV_API double fv_session_value(const FvSession *session, int64_t frame, int output);

/* Terms: the results of a frame from which all scores are computed. They are exact integers or binary64 numbers. */
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
 * Access to the rows of terms. There is one row for every finished frame, skipped frames included, in the order of
 * pushing; complete after finish. A row has fv_session_terms() terms: the terms of every feature that a metric of the
 * session needs. *feature gets the name of the feature that computes `term`; feature may be NULL. A row is valid
 * until the next call that changes the session. For a skipped frame, features that are not computed have terms of 0.
 * When a metric looks at later frames, its scores appear later than their rows.
 */
FV_API int fv_session_terms(const FvSession *session);
FV_API const FvTermInfo *fv_session_term(const FvSession *session, int term, const char **feature);
FV_API int64_t fv_session_rows(const FvSession *session);
FV_API const FvTerm *fv_session_row(const FvSession *session, int64_t row, int64_t *number, bool *skipped);

/*
 * Return the number of decisions that the session made, and decision i in [0, count), else NULL, in order. Each is
 * one sentence: a rate difference was ignored, the CPU computes a metric, samples were converted to a common depth. A
 * decision that begins with "warning: " changes what the scores mean.
 */
FV_API int fv_session_decisions(const FvSession *session);
FV_API const char *fv_session_decision(const FvSession *session, int i);

/*
 * A finding about the videos. An event of severity "warning" is also a decision with the same text. Strings belong to
 * the session. docs/report.md lists the kinds and the meaning of `value` for each.
 */
typedef struct FvEvent {
    const char *kind;      /* one word for programs: "matrix", "offset", "frozen" */
    const char *severity;  /* "warning" */
    bool sided;            /* true: it concerns one video only */
    FvSide side;           /* the video that it concerns, if `sided` */
    int64_t first, frames; /* number of its first distorted frame, and count of its frames; `frames` 0: the whole
                              videos, -1: all from `first` on */
    const char *fit;       /* the colour conversion that explains a difference: "matrix bt709 bt601"; NULL: none */
    int gain;              /* dB by which that conversion reduces the difference, [1, 60]; 0: unknown */
    double value;          /* a value in `unit`; meaningless if `unit` is NULL */
    const char *unit;      /* "frames", "lines", "degrees", "percent"; NULL: there is no value */
    const char *text;      /* one sentence */
    const char *remedy;    /* parameters, separated by spaces, in the spelling of <fovea/error.h>; NULL: none */
} FvEvent;

FV_API int fv_session_events(const FvSession *session);
FV_API const FvEvent *fv_session_event(const FvSession *session, int i);

/*
 * Returns a sentence that says why the scores do not cover the whole videos; NULL: they do. The text belongs to the
 * session.
 */
FV_API const char *fv_session_partial(const FvSession *session);

/*
 * Returns whether every sample of all frames of both videos was compared and is equal. Only fv_score() compares
 * samples, and only of frames in host memory; false for merged shards.
 */
FV_API bool fv_session_identical(const FvSession *session);

/*
 * Returns the time of frame number `number` in seconds from the start of the distorted video. If the frame rate
 * varies, the time of a scored frame is the one in the file, once fv_score() has ended; otherwise it follows from the
 * frame rate. NaN: unknown.
 */
FV_API double fv_session_time(const FvSession *session, int64_t number);

/*
 * Writes the SMPTE time code of frame number `number` in the distorted video: "10:00:00:00", or with dropped numbers
 * "10:00:00;00". Returns false and writes "" when the file has none.
 */
FV_API bool fv_session_timecode(const FvSession *session, int64_t number, char text[FV_TIMECODE_TEXT]);

/*
 * Returns the bit rate of a video's stream in bits per second, over the packets of the first to the last scored
 * frame, without the container and other streams. NaN if unknown: pipes, raw video, Y4M, images.
 */
FV_API double fv_session_bit_rate(const FvSession *session, FvSide side);

/*
 * Writes the size in bytes of the packet of the distorted video that contains frame index `frame`, and whether the
 * container marks it as a key frame. bytes and key may be NULL. Returns false if unknown.
 */
FV_API bool fv_session_packet(const FvSession *session, int64_t frame, int64_t *bytes, bool *key);

/*
 * Returns the format of the frames that are compared, after cropping, scaling and conversion. NULL: the session has
 * not been started, or there is no reference.
 */
FV_API const FvFormat *fv_session_format(const FvSession *session, FvSide side);

FV_API void fv_session_close(FvSession **session);

#ifdef __cplusplus
}
#endif

#endif

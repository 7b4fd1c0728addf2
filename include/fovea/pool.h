/*
 * Summaries of a session's scores: pooled values, worst frames, parts and gates. A program that prints some, for a
 * session that has finished:
 *
 *     #include <fovea/fovea.h>
 *
 *     void print_pooled(const FvSession *session);
 *
 *     void print_pooled(const FvSession *session)
 *     {
 *         for (int i = 0; i < fv_session_outputs(session); i++)
 *             printf("%s: mean %g, worst 5 %% %g\n", fv_session_output(session, i)->name,
 *                    fv_session_pool(session, i, FV_POOL_MEAN), fv_session_pool(session, i, FV_POOL_P5));
 *     }
 */
#ifndef FOVEA_POOL_H
#define FOVEA_POOL_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FvPool {
    FV_POOL_MEAN,
    FV_POOL_MIN,
    FV_POOL_MAX,
    FV_POOL_HARMONIC_MEAN, /* n / sum(1 / (1 + x)) - 1, the form the field uses; NaN if any x is negative */
    FV_POOL_STDDEV,        /* standard deviation of the population */
    FV_POOL_P1,
    FV_POOL_P5,
    FV_POOL_P10,
    FV_POOL_P25,
    FV_POOL_MEDIAN,
    FV_POOL_P75,
    FV_POOL_P90,
    FV_POOL_P95,
    FV_POOL_P99,
    FV_POOL_COUNT
} FvPool;

/*
 * Returns "mean", "min", "max", "harmonic_mean", "stddev", "p1", "p5", "p10", "p25", "median", "p75", "p90", "p95" or
 * "p99"; NULL for any other value. Thread-safe.
 */
FV_API const char *fv_pool_name(FvPool pool);

/*
 * Returns an output pooled over all frames scored so far, summed in frame order. Percentiles interpolate linearly
 * between the two nearest ranks. Frames for which a metric has no value are left out. NaN if there is no value.
 *
 * In scores in decibels, a frame without any error is infinite, or at the limit of 6 * depth + 12 that PSNR takes
 * from libvmaf. Pooling gives such frames the value of the best other frame, or the decibels of the mean error of all
 * frames if that is higher. So a pooled value is finite and does not depend on the depth, unless all frames are
 * without error.
 */
FV_API double fv_session_pool(const FvSession *session, int output, FvPool pool);

/*
 * Returns the number of scored frames whose value of an output in decibels is infinite or at its limit: the two
 * frames are equal, or differ too little to count.
 */
FV_API int64_t fv_session_equal_frames(const FvSession *session, int output);

/*
 * Writes the `count` worst frames scored so far by a per-frame output, as indices in the order of pushing. The worst
 * frame is first; of equal frames, the earlier one is first. Each index differs by at least `apart` from all entries
 * before it (1: any index). NaN values are left out. An output with FV_NEITHER_IS_BETTER has no worst frames, and
 * neither has an `apart` below 1. Returns the number of frames found, at most `count`.
 */
FV_API int fv_session_worst(const FvSession *session, int output, int64_t apart, int64_t *frames, int count);

/*
 * The kinds of parts of the videos. Intervals have the length FvSessionParams.interval, by the distorted video's
 * frame rate, from frame 0 on. Scenes begin at the cuts of the reference, or without a reference, of the distorted
 * video. Parts without a scored frame are left out.
 */
typedef enum FvPartKind { FV_PARTS_INTERVALS = 0, FV_PARTS_SCENES } FvPartKind;

typedef struct FvPart {
    int64_t first, count; /* index of its first frame, as for fv_session_value(), and number of its frames */
    int64_t frame;        /* the caller's number of its first frame */
} FvPart;

/*
 * Advances *part to the next part; a zeroed *part to the first. Returns false after the last part, and when the
 * session does not divide the videos this way or the frame rate is unknown.
 */
FV_API bool fv_session_next_part(const FvSession *session, FvPartKind kind, FvPart *part);

/* Returns an output pooled over the frames of a part, as fv_session_pool() does over all frames. */
FV_API double fv_session_pool_part(const FvSession *session, int output, FvPool pool, const FvPart *part);

/* A condition on a pooled score, or on the value of a sequence output. */
typedef struct FvGate {
    int output; /* index of the output, [0, fv_session_outputs()), or FV_LOW_SECONDS */
    FvPool pool;
    bool above; /* fail above the limit instead of below it */
    double limit;
} FvGate;

typedef enum FvGateOutcome {
    FV_GATE_PASSED = 0,
    FV_GATE_FAILED,
    FV_GATE_UNDEFINED, /* the score is NaN; the gate does not pass */
} FvGateOutcome;

/* Returns the outcome of a gate for the frames scored so far. *value gets the score; value may be NULL. */
FV_API FvGateOutcome fv_session_gate(const FvSession *session, const FvGate *gate, double *value);

/*
 * Adds a gate to the report, with its outcome at the time the report is written. Call it after the session has been
 * started. FV_ERROR_USAGE: the output does not exist yet, the pooling is outside its enum, the limit is not finite,
 * or the output is FV_LOW_SECONDS and no score that may represent the clip has words.
 */
FV_API FvStatus fv_session_add_gate(FvSession *session, const FvGate *gate, FvError *error);

#ifdef __cplusplus
}
#endif

#endif

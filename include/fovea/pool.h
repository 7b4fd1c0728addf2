/* Summaries of a session's scores: pooled values, worst frames, parts and gates. */
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
    FV_POOL_STDDEV,        /* of the population */
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

/* "mean", "min", "max", "harmonic_mean", "stddev", "p1", "p5", "p10", "p25", "median", "p75", "p90", "p95", "p99". */
FV_API const char *fv_pool_name(FvPool pool);

/*
 * Pools an output over all frames scored so far, summed in frame order. Percentiles interpolate linearly between the
 * two nearest ranks. NaN without any frame.
 *
 * In scores in decibels, pictures without an error are infinite, or at a limit that PSNR takes from libvmaf (6 *
 * depth
 * + 12). Frames there count as good as the best other frame, or as the decibels of the mean error of all frames if
 * those are more. So a pooled value is finite and does not depend on the depth, unless every frame is there.
 */
FV_API double fv_session_pool(const FvSession *session, int output, FvPool pool);

/* The number of scored frames whose pictures are equal by an output in decibels, or differ by less than its limit. */
FV_API int64_t fv_session_equal_frames(const FvSession *session, int output);

/*
 * The `count` worst frames scored so far by a per-frame output, as places in the order of pushing: the worst first,
 * the earlier one of equals first. Each is at least `apart` places from all earlier entries (1: all qualify). NaN
 * values are left out. An output with FV_NEITHER_IS_BETTER has no worst frames. Returns the number of frames found.
 */
FV_API int fv_session_worst(const FvSession *session, int output, int64_t apart, int64_t *frames, int count);

/*
 * Parts of the videos: intervals of FvSessionParams.interval from frame 0 on, by the distorted video's frame rate; or
 * scenes, which begin at the cuts of the reference (without a reference, of the distorted video). Parts without a
 * scored frame are left out.
 */
typedef enum FvPartKind { FV_PARTS_INTERVALS = 0, FV_PARTS_SCENES } FvPartKind;

typedef struct FvPart {
    int64_t first, count; /* scored frames, as fv_session_value counts them */
    int64_t frame;        /* the caller's number of the first one */
} FvPart;

/*
 * Advances *part to the next part; a zeroed one to the first. False after the last part, and when the session does
 * not divide the videos this way, or the frame rate is not known.
 */
FV_API bool fv_session_next_part(const FvSession *session, FvPartKind kind, FvPart *part);

/* Pooled over the frames of a part. */
FV_API double fv_session_pool_part(const FvSession *session, int output, FvPool pool, const FvPart *part);

/* A condition on a pooled score, or on the value of a sequence output. */
typedef struct FvGate {
    int output; /* [0, fv_session_outputs()) */
    FvPool pool;
    bool above; /* fails above the limit instead of below it */
    double limit;
} FvGate;

typedef enum FvGateOutcome {
    FV_GATE_PASSED = 0,
    FV_GATE_FAILED,
    FV_GATE_UNDEFINED, /* the score is NaN; this does not pass */
} FvGateOutcome;

/* The outcome for the frames scored so far. *value gets the score; value may be NULL. */
FV_API FvGateOutcome fv_session_gate(const FvSession *session, const FvGate *gate, double *value);

/* Adds a gate to the report, with its outcome at the time the report is written. After start. */
FV_API FvStatus fv_session_add_gate(FvSession *session, const FvGate *gate, FvError *error);

#ifdef __cplusplus
}
#endif

#endif

/* What a session holds: what it runs, what is under way, the scores, and the facts for reports. */
#ifndef FV_SESSION_H
#define FV_SESSION_H

#include "align/align.h"
#include "device/device.h"
#include "os/guard.h"
#include "session/maps.h"
#include "metric/metric.h"
#include "metric/rows.h"
#include "device/runs.h"
#include "picture/scenes.h"

/* How frames were paired, for the report. */
typedef struct FvPairing {
    FvAlignment found;         /* by content: without its pairs; the events are a copy. Else all zero */
    int64_t first[2], last[2]; /* by content: reference and distorted frame of the first and last pair */
    int64_t pairs, unpaired, repeats, drops; /* by time */
} FvPairing;

/* One column of the scores. */
typedef struct FvColumn {
    int metric;        /* which metric of the session */
    int output;        /* which output of its run */
    FvOutputInfo info; /* name: the session's own copy, with a suffix when the metric was added more than once */
    double sequence;   /* value of a sequence output */
} FvColumn;

/* A copy of what a source said of itself. */
typedef struct FvInput {
    bool present;
    char *path, *reader, *container, *codec, *mastering;
    FvSourceInfo info; /* without its strings */
} FvInput;

/* Who computed the rows: reports say it, and no score depends on it. Strings are owned. */
typedef struct FvRecord {
    char *requested, *kind, *title, *isa; /* the device as the caller wrote it, and what it is */
    char *carriers[FV_MAX_METRICS];       /* of each metric: "cpu", "cuda", or both */
    int carrier_count;
    char **decisions;
    int decision_count;
    char *last; /* a decision that follows those of all shards; or NULL */
} FvRecord;

typedef enum FvSessionState {
    FV_SESSION_OPEN,
    FV_SESSION_STARTED,
    FV_SESSION_FINISHED,
    FV_SESSION_FAILED
} FvSessionState;

/* What is known of the frames before the start. */
typedef struct FvExpected {
    FvArrival arrival;
    int64_t pairs; /* that are to be scored; below 0: unknown */
    int decoded;   /* videos that are decoded, */
    int hwdec;     /* and by hardware decoders where they exist */
} FvExpected;

typedef struct FvMetrics {
    FvMetricRun run[FV_MAX_METRICS];
    int count;
    int want[FV_MAX_METRICS][FV_MAX_WANTS]; /* the run that each want of each metric is */
    bool wanted[FV_MAX_RUNS];               /* by a metric: the terms of the run are kept */
} FvMetrics;

typedef struct FvSessionDevices {
    char name[32]; /* as the caller wrote it */
    FvIsa isa;
    int threads;
    FvDevice *opened[2]; /* the chosen one; the CPU for runs that it does not carry, or NULL */
    bool undecided;      /* "auto" has not chosen, and opened[0] is the CPU until it does */
    FvCarry carries[2][FV_MAX_RUNS];
    bool every[2]; /* carries a run of every frame, skipped ones included */
} FvSessionDevices;

/* Frames under way. */
typedef struct FvFlight {
    FvTask *tasks;
    int most; /* tasks */
    int64_t pushed, retired;
    FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND];
    int behind; /* how many frames back the runs look */
    FvMaps maps;
    bool delivering; /* a map callback is running */
} FvFlight;

typedef struct FvScores {
    FvRowTable rows;
    int64_t scored; /* rows that scores were computed of, skipped ones included */
    int ahead;      /* rows that must follow one before it can be scored */
    FvColumn *columns;
    int column_count;
    double *outputs; /* of the row being scored, metric after metric */
    int first_output[FV_MAX_METRICS];
    double *values;  /* frame after frame, a value for every column (unused for sequence columns) */
    int64_t *number; /* caller's number of each frame */
    int64_t frames, capacity;
} FvScores;

/* What reports tell besides the scores. */
typedef struct FvFacts {
    char **decisions;
    int decision_count;
    char *last_decision;
    FvRecord *imported; /* who computed rows that come from elsewhere; else NULL */
    FvInput reference, distorted;
    FvGuard read; /* files that decide the scores: no output replaces one */
    FvGate *gates;
    int gate_count;
    FvReportPicture *pictures; /* with copies of what they point to */
    int picture_count;
    FvScoreParams score; /* of fv_score; zeroed when frames were pushed */
    FvPace pace;         /* limited_by is NULL when it was not measured */
    char limited_by[128];
    FvPairing pairing;
    FvScenes scenes;
    bool partial;
    FvError failure; /* why the session failed or is partial */
} FvFacts;

struct FvSession {
    FvSessionState state;
    FvSessionParams params;
    FvExpected expected;
    FvFormat ref, dis; /* from start on; without a reference, ref is a copy of dis */
    bool has_reference;
    FvMetrics metrics;
    FvRuns runs;
    FvSessionDevices devices;
    FvFlight flight;
    FvScores scores;
    FvFacts facts;
};

/* Before the start. A session that is not told expects frames that its caller pushes, any number of them. */
static inline void fv_session_expect(FvSession *session, const FvExpected *expected)
{
    session->expected = *expected;
}

/* Records one sentence about what was decided, for the report. Repeats are dropped. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_decide(FvSession *session, FvError *error,
                                                                 const char *format, ...);

/* The same for a decision that the caller did not ask for and should see at once: it is logged as a warning. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_warn(FvSession *session, FvError *error, const char *format,
                                                               ...);

/* The same for a part of the videos: it is kept in facts.last_decision, after the decisions of all parts. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_warn_last(FvSession *session, FvError *error,
                                                                    const char *format, ...);

/* Opens the chosen device, and records why a better one was passed over. */
FvStatus fv_session_open_device(FvSession *session, const char *name, FvError *error);

/* Ends undecided: "auto" takes the best device. */
FvStatus fv_session_settle(FvSession *session, FvError *error);

/* The same at the start, but "auto" stays on the CPU where the scoring ends sooner. */
FvStatus fv_session_choose_device(FvSession *session, FvError *error);

/* Marks the scores as incomplete, with the reason. */
void fv_session_mark_partial(FvSession *session, const FvError *reason);

/* Waits for all pushed frames. */
FvStatus fv_session_drain(FvSession *session, FvError *error);

/* Ends the metrics and all work under way, and closes the devices. */
void fv_session_stop(FvSession *session);

/* One column for each output of the initialised metrics. */
FvStatus fv_session_make_columns(FvSession *session, FvError *error);

/* Scores the rows before `end`; skipped rows get no scores. */
FvStatus fv_session_score_rows(FvSession *session, int64_t end, FvError *error);

/* Computes the sequence outputs from the scored rows. */
FvStatus fv_session_pool_rows(FvSession *session, FvError *error);

/*
 * Waits for all frames and computes the values of the sequence. `whole`: the last frame was the end of the videos;
 * otherwise frames whose scores look at later ones are left out.
 */
FvStatus fv_session_end(FvSession *session, bool whole, FvError *error);

/* The devices that compute the features of a metric: "cpu", "cuda", or "cuda+cpu". */
void fv_session_carriers(const FvSession *session, int metric, char *text, size_t size);

/* Adds the files that the session reads: its videos, once it has them, and the files of its metrics' options. */

FvStatus fv_record_make(FvRecord *record, const FvSession *session, FvError *error);
void fv_record_free(FvRecord *record);

void fv_session_free_pictures(FvSession *session);

/* Copies what a source says of itself. */
FvStatus fv_session_set_input(FvInput *input, const FvSourceInfo *info, FvError *error);

#define FV_EVERYTHING INT64_MAX /* a lead of all frames before */

/* After start: the number of frames before any frame that its terms depend on. */
int64_t fv_session_lead(const FvSession *session);

#endif

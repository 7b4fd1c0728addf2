/* What a session holds; read by the report writers. */
#ifndef FV_SESSION_H
#define FV_SESSION_H

#include "device.h"
#include "file_id.h"
#include "metric.h"

/* One column of the scores. */
typedef struct FvColumn {
    int run;           /* which metric of the session */
    int output;        /* which output of its descriptor */
    FvOutputInfo info; /* name: the session's own copy, with a suffix when the metric was added more than once */
    double sequence;   /* value of a sequence output */
} FvColumn;

/* A copy of what a source said of itself. */
typedef struct FvInput {
    bool present;
    char *path, *reader, *container, *codec;
    FvFileId id;
    FvFormat format;
    int64_t frames;
} FvInput;

typedef enum FvSessionState {
    FV_SESSION_OPEN,
    FV_SESSION_STARTED,
    FV_SESSION_FINISHED,
    FV_SESSION_FAILED
} FvSessionState;

struct FvSession {
    FvSessionState state;
    FvSessionParams params;
    char device_name[32];
    FvIsa isa;
    int threads;

    /* devices[0] is the chosen one; devices[1] the CPU for runs that it does not carry, or NULL. */
    FvDevice *devices[2];
    bool carries[2][FV_MAX_RUNS];

    FvRun runs[FV_MAX_RUNS];
    char *spec[FV_MAX_RUNS]; /* the text each metric was added with; options point into it */
    int run_count;

    FvTask *tasks;
    int in_flight;
    int64_t pushed, retired;
    FvFrame *prev_ref, *prev_dis;
    bool keeps_previous;

    FvColumn *columns;
    int column_count;
    double *values;  /* frame after frame, a value for every column (unused for sequence columns) */
    int64_t *number; /* caller's number of each frame */
    int64_t frames, capacity;

    char **decisions;
    int decision_count;
    FvInput reference, distorted;
    FvScoreParams score; /* of fv_score; zeroed when frames were pushed */
    bool partial;
    FvError failure; /* why the session failed or is partial */
};

/* Records one sentence about what was decided, for the report. Repeats are dropped. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_decide(FvSession *session, FvError *error,
                                                                 const char *format, ...);

/* Marks the scores as incomplete, with the reason. */
void fv_session_mark_partial(FvSession *session, const FvError *reason);

/* Waits for all frames that were pushed. */
FvStatus fv_session_drain(FvSession *session, FvError *error);

/* Copies what the source says of itself. */
FvStatus fv_session_set_input(FvInput *input, const FvSource *source, FvError *error);

#endif

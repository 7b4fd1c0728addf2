/* What a session holds. Only the files of this folder know it. */
#pragma once

#include "check/check.h"
#include "device_select/estimate.h"
#include "session/maps.h"
#include "session/masks.h"
#include "session/session.h"
#include "verdict/verdict.h"

typedef struct FvMetrics {
    FvMetricRun run[FV_MAX_METRICS];
    int count;
    int want[FV_MAX_METRICS][FV_MAX_WANTS]; /* the run that each want of each metric is */
    bool wanted[FV_MAX_RUNS];               /* by a metric: the terms of the run are kept */
} FvMetrics;

/* Frames under way. */
typedef struct FvFlight {
    FvTask *tasks;
    int most; /* tasks */
    int64_t pushed, retired;
    FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND];
    int behind; /* how many frames back the runs look */
    FvMaps maps;
    FvMasks masks;
    bool delivering; /* a map callback is running */
} FvFlight;

/* What a check of one video has found. */
typedef struct FvChecked {
    FvCheckEventList list;
    bool made;
    uint64_t expected; /* bit i: check i is intended */
    uint64_t chosen;   /* bit i: check i is made; 0: all are */
} FvChecked;

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
    FvChecked checked;
    FvClipVerdict verdict; /* of the last fv_session_judge() */
};

/* Opens the chosen device, and records why a better one was passed over. */
FvStatus fv_session_open_device(FvSession *session, const char *name, FvError *error);

/* The same at the start, but "auto" stays on the CPU where the scoring ends sooner. */
FvStatus fv_session_choose_device(FvSession *session, FvError *error);

/* Of the scoring that is expected, on a GPU that is open, or with NULL on the one of the last session (speeds.c). */
FvStatus fv_session_estimate(FvSession *session, FvDevice *gpu, FvEstimate *seconds, FvError *error);

/* Ends the metrics and all work under way, and closes the devices. */
void fv_session_stop(FvSession *session);

/* One column for each output of the initialised metrics. */
FvStatus fv_session_make_columns(FvSession *session, FvError *error);

/* Whether words stand for the values of an output: not those of votes on standard range for PQ and HLG. */
bool fv_session_has_grades(const FvSession *session, int output);

/* What the column's scores mean. */
const FvMeaning *fv_column_meaning(const FvMetricRun *run, const FvColumn *column);

/* Computes the sequence outputs from the scored rows. */
FvStatus fv_session_pool_rows(FvSession *session, FvError *error);

/* The state of a session. Only the files of this folder include it. */
#pragma once

#include "check/check.h"
#include "device_select/estimate.h"
#include "session/maps.h"
#include "session/masks.h"
#include "session/session.h"
#include "verdict/verdict.h"

typedef struct FvMetrics {
    FvMetricInstance run[FV_MAX_METRICS];
    int count;
    int want[FV_MAX_METRICS][FV_MAX_WANTS]; /* index of the feature instance for each request of each metric */
    bool wanted[FV_MAX_INSTANCES];          /* a metric uses the feature instance, so its terms are kept */
} FvMetrics;

/* The frames in flight. */
typedef struct FvFlight {
    FvTask *tasks;
    int most; /* number of elements of `tasks` */
    int64_t pushed, retired;
    FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND];
    int behind; /* number of previous frames that feature instances need */
    FvMaps maps;
    FvMasks masks;
    bool delivering; /* a map callback is running */
} FvFlight;

/* The state of the checks of a video. */
typedef struct FvChecked {
    FvCheckEventList list;
    bool made;
    uint64_t expected;                  /* bit i: events of check i are expected */
    uint64_t chosen;                    /* bit i: check i is made; 0: all are */
    bool restored;                      /* the list and the reasons come from a report */
    const char *reason[FV_CHECK_KINDS]; /* (restored) why the check was not made; NULL: it was made */
    char *texts;                        /* (restored) owns the texts of reasons and details */
} FvChecked;

struct FvSession {
    FvSessionState state;
    FvSessionParams params;
    FvWorkload workload;
    FvFormat ref, dis; /* formats of the frames, valid after the start; without a reference, ref is a copy of dis */
    bool has_reference;
    FvMetrics metrics;
    FvFeatureInstances runs;
    FvSessionDevices devices;
    FvFlight flight;
    FvScores scores;
    FvFacts facts;
    FvChecked checked;
    FvClipVerdict verdict; /* verdict of the last fv_session_judge() */
};

/* Opens the requested device, and records why "auto" did not use a better one. */
FvStatus fv_session_open_device(FvSession *session, const char *name, FvError *error);

/* Chooses the device at the start of a session; "auto" stays on the CPU if the run ends sooner there. */
FvStatus fv_session_choose_device(FvSession *session, FvError *error);

/*
 * Estimates the duration of the workload on the CPU and on `gpu`; gpu: NULL: the GPU of the last session (speeds.c).
 */
FvStatus fv_session_estimate(FvSession *session, FvDevice *gpu, FvEstimate *seconds, FvError *error);

/* Ends the metrics and all work in flight, and closes the devices. */
void fv_session_stop(FvSession *session);

/* Makes one column for each output of the initialised metrics. */
FvStatus fv_session_make_columns(FvSession *session, FvError *error);

/*
 * Returns whether the values of an output have words such as "good". Words from votes on SDR videos do not apply to
 * PQ and HLG.
 */
bool fv_session_has_grades(const FvSession *session, int output);

/* Returns the meaning of a column's scores. */
const FvMeaning *fv_column_meaning(const FvMetricInstance *run, const FvColumn *column);

/* Finds the events of checks. FV_ERROR_MEMORY: memory ran out, so some are missing. */
FvStatus fv_session_make_checks(FvSession *session, FvError *error);

/* Computes the sequence outputs from the scored rows. */
FvStatus fv_session_pool_rows(FvSession *session, FvError *error);

/* The features of a session or a test, each once. Inputs come before the features that read them. */
#pragma once

#include "device/feature.h"

typedef struct FvRuns {
    FvRun run[FV_MAX_RUNS];
    int count;
    FvFormat twin[2]; /* formats of the Y'CbCr forms: reference, distorted */
} FvRuns;

/*
 * Finds the instance of `feature` with these options on these frames (FvRun.twin), or adds it with its inputs.
 * *position is its index in the list. The options are copied.
 */
FvStatus fv_runs_add(FvRuns *runs, const FvFeature *feature, const void *options, bool twin, int *position,
                     FvError *error);

/* Calls init of each run. ref is NULL without a reference. The caller has set isa, threads and wanted_maps. */
FvStatus fv_runs_init(FvRuns *runs, const FvFormat *ref, const FvFormat *dis, FvError *error);

/* The run's terms of a frame whose memory is complete. All NaNs become one, so that devices give equal bits. */
FvStatus fv_run_terms(const FvRun *run, const FvWork *work, FvTerm *row, FvError *error);

void fv_runs_close(FvRuns *runs);

/* The position of an input among the runs. */
static inline int fv_run_input(const FvRun *runs, int run, int input)
{
    return (int)(runs[run].input[input] - runs);
}

/* Releases the options in a list of wants. */
void fv_wants_free(FvWants *wants);

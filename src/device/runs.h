/* The features of a session or a test, each once, inputs in front of what reads them. */
#ifndef FV_DEVICE_RUNS_H
#define FV_DEVICE_RUNS_H

#include "device/feature.h"

typedef struct FvRuns {
    FvRun run[FV_MAX_RUNS];
    int count;
} FvRuns;

/* The position of the run of `feature` with these options, which are copied; added with its inputs when it is new. */
FvStatus fv_runs_add(FvRuns *runs, const FvFeature *feature, const void *options, int *position, FvError *error);

/* Calls init of each. ref is NULL without a reference. isa, threads and wanted_maps have been set. */
FvStatus fv_runs_init(FvRuns *runs, const FvFormat *ref, const FvFormat *dis, FvError *error);

/* The run's terms of a frame whose memory is complete. Every NaN becomes the same one, whatever device made it. */
FvStatus fv_run_terms(const FvRun *run, const FvWork *work, FvTerm *row, FvError *error);

void fv_runs_close(FvRuns *runs);

/* Position of an input among the runs. */
static inline int fv_run_input(const FvRun *runs, int run, int input)
{
    return (int)(runs[run].input[input] - runs);
}

/* Releases the options in a list of wants. */
void fv_wants_free(FvWants *wants);

#endif

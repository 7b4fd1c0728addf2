/* Opens the videos and the session of a run, from the options of the commands that score. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/* The open videos and the session of one run. */
typedef struct Opened {
    FvSession *session;
    FvSource *source[2]; /* reference, which may be NULL, and distorted video */
    FvRunParams run;
    FvAlignment *alignment;
    const FvCancel *cancel;
    FvSource *shared; /* the reference of several pairs, which the caller closes; NULL: each pair opens its own */
} Opened;

/*
 * Opens the session with its metrics, and the videos. On failure, prints a message and returns its status. Call
 * scoring_close in any case.
 */
FvStatus scoring_open(Opened *opened, const Options *options, const FvSessionParams *session);

/* Opens the reference of several pairs. On failure, prints a message and returns its status. */
FvStatus scoring_open_reference(FvSource **reference, const Options *options, const char *device,
                                const FvCancel *cancel);

/*
 * Returns the bytes of memory of the GPU that scores or, if the library will choose it, of the smallest GPU that it
 * may choose; 0: the CPU scores.
 */
uint64_t scoring_gpu_memory(const Options *options);

/* Opens only the videos, for a session of the caller, who has set opened->cancel. */
FvStatus scoring_open_videos(Opened *opened, const Options *options, const char *device);

/*
 * If frames pair by content, reads both files to their ends to find the pairs, before they are read for the scores.
 */
FvStatus scoring_align(Opened *opened, const Options *options);

/*
 * Estimates the number of pairs by the durations that the containers of the opened videos state; -1: unknown. A run
 * that knows its number does not need it.
 */
int64_t scoring_expects(const Opened *opened);

void scoring_close(Opened *opened);

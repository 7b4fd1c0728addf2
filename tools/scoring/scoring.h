/* Opens everything that a scoring needs, from the options of the commands that score. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/* Everything for one scoring. */
typedef struct Opened {
    FvSession *session;
    FvSource *source[2]; /* reference, or NULL; distorted */
    FvRunParams run;
    FvAlignment *alignment;
    const FvCancel *cancel;
    FvSource *shared; /* the reference of several pairs, which stays the caller's; NULL: each opens its own */
} Opened;

/*
 * Opens the session with its metrics, and the videos. FV_OK, or a status after a message; scoring_close in any case.
 */
FvStatus scoring_open(Opened *opened, const Options *options, const FvSessionParams *session);

/* Opens the reference of several pairs. A status after a message. */
FvStatus scoring_open_reference(FvSource **reference, const Options *options, const char *device,
                                const FvCancel *cancel);

/* Bytes of the memory of the GPU that scores, or, if the library chooses, of the smallest that may; 0: the CPU
 * scores. */
uint64_t scoring_gpu_memory(const Options *options);

/* Opens the videos alone, for a session of the caller. opened->cancel is set. */
FvStatus scoring_open_videos(Opened *opened, const Options *options, const char *device);

/* If frames pair by content: reads both files to their ends before they are read for the scores. */
FvStatus scoring_align(Opened *opened, const Options *options);

void scoring_close(Opened *opened);

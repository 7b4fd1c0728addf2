/* A source read ahead by a thread of its own, a few frames at most, so that two inputs decode side by side. */
#pragma once

#include "input/source.h"
#include "picture/prepare.h"
#include "picture/twin.h"

typedef struct FvReadAhead FvReadAhead;

/* Without `threaded` every call reads in the caller's thread. The source stays the caller's. */
typedef struct FvReadAheadParams {
    FvSource *source;
    FvPreparation *preparation; /* of every frame that is delivered; or NULL */
    FvTwins *twins;             /* or NULL */
    const FvFormat *tags;       /* that the frames get: fv_twins_prepare; or NULL */
    bool defers;                /* a device prepares the frames: fv_prepare_defer; without twins */
    int64_t skip;               /* frames at the start that are not delivered; a missing one is FV_ERROR_INPUT */
    bool enters;                /* the source seeks past them instead of reading them: fv_source_enters */
    int64_t frames;             /* delivered and read at most; 0: all */
    FvNeed need;                /* of the frames; the others are passed */
    bool on_host;               /* the CPU, and not a device, reads the frames */
    bool signs;                 /* signatures of frames are wanted */
} FvReadAheadParams;

/* Both objects of `reading` must outlive the reader. */
FvStatus fv_read_ahead_open(FvReadAhead **reader, const FvReadAheadParams *reading, bool threaded, FvError *error);

/* As fv_source_read. */
FvStatus fv_read_ahead_next(FvReadAhead *reader, FvFrame **frame, FvError *error);

/* What one side's reader did so far. */
typedef struct FvWorked {
    int64_t frames;
    double seconds, reading, preparing; /* all; of these, waiting for the file; preparing frames */
    double transferring;                /* of all: waiting for a device to take what was read */
} FvWorked;

FvWorked fv_read_ahead_worked(FvReadAhead *reader);

/* The signature of the frame delivered last, if frames are signed and it does not come as a packet. */
const int32_t *fv_read_ahead_signature(const FvReadAhead *reader);

/* Stops reading; frames read ahead are dropped. */
void fv_read_ahead_close(FvReadAhead **reader);

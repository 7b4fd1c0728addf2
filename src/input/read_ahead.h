/* A source read ahead by a thread of its own, a few frames at most, so that two inputs decode side by side. */
#pragma once

#include "input/source.h"
#include "picture/prepare.h"
#include "picture/twin.h"

typedef struct FvReadAhead FvReadAhead;

/*
 * Parameters of a reader. Without `threaded` every call reads in the caller's thread. The source belongs to the
 * caller.
 */
typedef struct FvReadAheadParams {
    FvSource *source;
    FvPreparation *preparation; /* preparation of every delivered frame; or NULL */
    FvTwins *twins;             /* or NULL */
    const FvFormat *tags;       /* tags for the frames (fv_twins_prepare()); or NULL */
    bool defers;                /* a device prepares the frames (fv_prepare_defer()); not with `twins` */
    int64_t skip;               /* frames at the start that are not delivered; a missing one is FV_ERROR_INPUT */
    bool enters;                /* the source seeks past them instead of reading them: fv_source_enters */
    int64_t frames;             /* delivered and read at most; 0: all */
    FvNeed need;                /* the frames that are needed; the others are skipped */
    bool on_host;               /* the CPU, and not a device, reads the frames */
    bool signs;                 /* signatures of frames are wanted */
} FvReadAheadParams;

/* Opens a reader. Both objects of `reading` must outlive it. */
FvStatus fv_read_ahead_open(FvReadAhead **reader, const FvReadAheadParams *reading, bool threaded, FvError *error);

/* Returns the next frame, as fv_source_read() does. */
FvStatus fv_read_ahead_next(FvReadAhead *reader, FvFrame **frame, FvError *error);

/* The work of one side's reader so far. */
typedef struct FvWorked {
    int64_t frames;
    double seconds, reading,
        preparing;       /* seconds of work, and of these, for reading the file and for preparing frames */
    double transferring; /* seconds of waiting for a device to accept what was read */
} FvWorked;

FvWorked fv_read_ahead_worked(FvReadAhead *reader);

/* The signature of the frame delivered last, if frames are signed and it does not come as a packet. */
const int32_t *fv_read_ahead_signature(const FvReadAhead *reader);

/* Stops reading; frames read ahead are dropped. */
void fv_read_ahead_close(FvReadAhead **reader);

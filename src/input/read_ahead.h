/* A source read ahead by a thread of its own, a few frames at most, so that two inputs decode side by side. */
#ifndef FV_INPUT_READ_AHEAD_H
#define FV_INPUT_READ_AHEAD_H

#include "picture/prepare.h"
#include "input/source.h"

typedef struct FvReadAhead FvReadAhead;

/* Without `threaded` every call reads in the caller's thread. The source stays the caller's. */
typedef struct FvReadAheadParams {
    FvSource *source;
    FvPreparation *preparation; /* of every frame that is delivered; or NULL */
    bool defers;                /* a device prepares them: fv_prepare_defer */
    int64_t skip;               /* frames at the start that are not; one that is missing is FV_ERROR_INPUT */
    bool enters;                /* these are not even read: the source goes to the first one that is */
    int64_t frames;             /* that are delivered at most, so that no others are read; 0: all */
    bool on_host;               /* the CPU reads the frames, and not a device */
    int signatures;             /* of so many frames that are delivered first, where their luma was read */
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

/* The signature of the frame that came last; NULL: none was made. */
const int32_t *fv_read_ahead_signature(const FvReadAhead *reader);

/* Stops reading; frames read ahead are dropped. */
void fv_read_ahead_close(FvReadAhead **reader);

#endif

/* Reads a source a few frames ahead in a separate thread, so that two inputs are decoded at the same time. */
#pragma once

#include "input/source.h"
#include "picture/prepare.h"
#include "picture/ycbcr_variant.h"

typedef struct FvReadAhead FvReadAhead;

/*
 * Parameters of a reader. Without `threaded` every call reads in the caller's thread. The source belongs to the
 * caller.
 */
typedef struct FvReadAheadParams {
    FvSource *source;
    FvPreparation *preparation; /* prepares every delivered frame; NULL: none is needed */
    FvVariants *variants;       /* makes the Y'CbCr variant of frames; NULL: not needed */
    const FvFormat *tags;       /* tags for the frames (fv_variants_prepare()); or NULL */
    /* a device prepares the frames that the host does not read (fv_prepare_defer()); not with `variants` */
    bool defers;
    int64_t skip;          /* frames at the start that are not delivered; a missing one is FV_ERROR_INPUT */
    bool enters;           /* the source seeks past these `skip` frames and does not read them (fv_source_enters()) */
    int64_t frames;        /* maximum number of frames that are read and delivered; 0: all */
    FvFrameSelection need; /* the frames that are needed; the others are skipped */
    bool on_host;          /* the CPU, and not a device, reads the frames */
    bool signs;            /* compute the signatures of frames */
} FvReadAheadParams;

/* Opens a reader. All objects that `reading` refers to must outlive it. */
FvStatus fv_read_ahead_open(FvReadAhead **reader, const FvReadAheadParams *reading, bool threaded, FvError *error);

/* Returns the next frame, as fv_source_read() does. */
FvStatus fv_read_ahead_next(FvReadAhead *reader, FvFrame **frame, FvError *error);

/* The work of one side's reader so far. */
typedef struct FvWorked {
    int64_t frames;
    /* Seconds of all work, and of these, seconds of reading the file and of preparing frames. */
    double seconds, reading, preparing;
    double transferring; /* seconds of waiting until a device accepts the data read */
} FvWorked;

FvWorked fv_read_ahead_worked(FvReadAhead *reader);

/* Returns the signature of the last delivered frame, if `signs` is set and the frame is not a packet. */
const int32_t *fv_read_ahead_signature(const FvReadAhead *reader);

/* Stops reading, and drops the frames that were read ahead. */
void fv_read_ahead_close(FvReadAhead **reader);

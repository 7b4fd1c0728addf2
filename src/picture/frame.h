/* Frames: reference-counted planes in host memory. The public part is in fovea/frame.h. */
#pragma once

#include "picture/format.h"

/*
 * FV_ERROR_INPUT when a sample exceeds 2^depth - 1; the message names `which` ("reference") and the frame's number.
 * A frame is checked once; frames that were vouched for or that the host cannot read are not checked.
 */
FvStatus fv_frame_check(FvFrame *frame, const char *which, int64_t number, FvError *error);

/* Marks the samples as known to fit, because a reader has checked them. */
void fv_frame_vouch(FvFrame *frame);

/* The time at which the frame is shown, in the ticks of its source. A new frame has none. */
void fv_frame_set_time(FvFrame *frame, int64_t ticks);
bool fv_frame_time(const FvFrame *frame, int64_t *ticks);

/* Makes a frame without samples. It represents a frame that no score needs and that is not decoded. */
FvStatus fv_frame_skip_decoding(FvFrame **frame, const FvFormat *format, FvError *error);
bool fv_frame_is_undecoded(const FvFrame *frame); /* NULL: it is not */

/*
 * Attaches an object to the frame until its last reference is released; `release` then gets it, in any thread. At
 * most once per frame.
 */
void fv_frame_attach(FvFrame *frame, void *attached, void (*release)(void *attached));
/* NULL: nothing. */
void *fv_frame_attached(const FvFrame *frame);

/*
 * Gives the frame its Y'CbCr variant (fv_frame_ycbcr()) and takes over the caller's reference to it. A frame with
 * other references is not changed: *frame becomes another frame with its samples.
 */
FvStatus fv_frame_join(FvFrame **frame, FvFrame *ycbcr, FvError *error);

/* Gives the frame the transfer and primaries of `tags`; one that others hold, too, as fv_frame_join does. */
FvStatus fv_frame_tag(FvFrame **frame, const FvFormat *tags, FvError *error);

/* Bytes of a frame of this format, padding included. */
size_t fv_format_bytes(const FvFormat *format);

/*
 * Recycles the memory of frames of one format, so that the system need not map new memory for every frame of a
 * reader. The pool holds at most the memory of the frames that were in use at once, and at most FV_POOL_IDLE idle
 * frames. Frames may be released from any thread, even after the pool was closed; the last one releases the pool.
 */
#define FV_POOL_IDLE 64
typedef struct FvFramePool FvFramePool;
FvStatus fv_frame_pool_open(FvFramePool **pool, const FvFormat *format, FvError *error);
/* Like fv_frame_alloc. */
FvStatus fv_frame_pool_get(FvFramePool *pool, FvFrame **frame, FvError *error);
/*
 * Makes the pool allocate frames with `make`, in memory that a device reads directly. If `make` fails or is NULL,
 * frames are in ordinary memory. Do not call it while other threads use the pool.
 */
typedef FvStatus FvFrameMaker(void *opaque, FvFrame **frame, const FvFormat *format, FvError *error);
void fv_frame_pool_set_maker(FvFramePool *pool, FvFrameMaker *make, void *opaque);
/*
 * Makes the rows of frames in ordinary memory contiguous if that keeps them aligned, so that one call reads many
 * rows. For callers that write nothing after the end of a row.
 */
void fv_frame_pool_pack(FvFramePool *pool);
void fv_frame_pool_close(FvFramePool **pool);

/* The place of samples outside the frame's own block: in memory of a GPU, or in memory shared with one. */
typedef struct FvFramePlace {
    const void *owner;   /* the FvGpu that can use the addresses */
    const void *memory;  /* the FvGpuMemory of `owner` with all planes, from its first byte on; NULL: not known */
    uint64_t address[3]; /* address of each plane for kernels */
    void *sync;          /* work on the samples waits for this first (FvGpuOps.after_foreign); or NULL */
    uint64_t sync_value;
    const struct FvGpuFed *fed; /* work on the samples waits for this (gpu/feed.h); or NULL */
    /* The packet from which a device decodes the samples, which do not exist yet; or NULL. */
    struct FvProresPacket *packet;
    const struct FvUnprepared *unprepared;
    void (*release)(void *opaque); /* called when the last reference goes, from any thread */
    void *opaque;
} FvFramePlace;

/* data[] is NULL where the host cannot read the samples. Takes `place` over, and releases it on failure too. */
FvStatus fv_frame_wrap(FvFrame **frame, const FvFormat *format, uint8_t *const data[3], const ptrdiff_t stride[3],
                       const FvFramePlace *place, FvError *error);

/*
 * Gives back the memory of a frame with a place before its last reference goes, once the host has read the
 * samples; data[] becomes NULL. Not while other threads use the frame.
 */
void fv_frame_let_go(FvFrame *frame);

/* Records in the frame's place that a feed has sent all of the frame. */
void fv_frame_fed(FvFrame *frame, const struct FvGpuFed *fed);

/* NULL for frames in ordinary memory. */
const FvFramePlace *fv_frame_place(const FvFrame *frame);

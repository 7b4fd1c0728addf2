/* Frames: reference-counted planes in host memory. The public part is in fovea/frame.h. */
#pragma once

#include "picture/format.h"

/*
 * Checks that no sample exceeds 2^depth - 1. FV_ERROR_INPUT: one does; the message names `which` ("reference") and
 * the frame's number. A frame is checked once; frames that were vouched for or that the host cannot read are not
 * checked.
 */
FvStatus fv_frame_check(FvFrame *frame, const char *which, int64_t number, FvError *error);

/* Marks the samples as checked: a reader knows that none exceeds the depth. */
void fv_frame_vouch(FvFrame *frame);

/*
 * Set and return the presentation time of a frame, in ticks of its source. false: the frame has none, as every new
 * frame.
 */
void fv_frame_set_time(FvFrame *frame, int64_t ticks);
bool fv_frame_time(const FvFrame *frame, int64_t *ticks);

/* Makes a frame without samples. It represents a frame that no score needs and that is not decoded. */
FvStatus fv_frame_skip_decoding(FvFrame **frame, const FvFormat *format, FvError *error);
bool fv_frame_is_undecoded(const FvFrame *frame); /* returns false for NULL */

/*
 * Attaches an object to the frame. When the last reference to the frame is released, `release` gets the object, in
 * any thread. Call it at most once per frame.
 */
void fv_frame_attach(FvFrame *frame, void *attached, void (*release)(void *attached));
/* Returns the attached object; NULL: none. */
void *fv_frame_attached(const FvFrame *frame);

/*
 * Attaches the Y'CbCr variant (fv_frame_ycbcr()) and takes over the caller's reference to it. A frame with other
 * references is not changed: *frame becomes a new frame with the same samples.
 */
FvStatus fv_frame_join(FvFrame **frame, FvFrame *ycbcr, FvError *error);

/*
 * Sets the transfer and primaries of *frame to those of `tags`. Treats a frame with other references as
 * fv_frame_join().
 */
FvStatus fv_frame_tag(FvFrame **frame, const FvFormat *tags, FvError *error);

/* Returns the bytes of a frame of this format, padding included. */
size_t fv_format_bytes(const FvFormat *format);

/*
 * A pool reuses the memory of frames of one format, so that the system need not map new memory for every frame. It
 * keeps at most FV_POOL_IDLE idle frames. Any thread may release frames, even after the pool was closed; the last
 * frame then frees the pool.
 */
#define FV_POOL_IDLE 64
typedef struct FvFramePool FvFramePool;
FvStatus fv_frame_pool_open(FvFramePool **pool, const FvFormat *format, FvError *error);
/* Returns a frame, as fv_frame_alloc() does. */
FvStatus fv_frame_pool_get(FvFramePool *pool, FvFrame **frame, FvError *error);
/*
 * Makes the pool allocate frames with `make`, in memory that a device reads directly. If `make` fails or is NULL,
 * frames are in ordinary memory. Do not call it while other threads use the pool.
 */
typedef FvStatus FvFrameMaker(void *opaque, FvFrame **frame, const FvFormat *format, FvError *error);
void fv_frame_pool_set_maker(FvFramePool *pool, FvFrameMaker *make, void *opaque);
/*
 * Makes the rows of frames in ordinary memory contiguous if that keeps them aligned, so that one call can read many
 * rows. Callers must then write nothing after the end of a row.
 */
void fv_frame_pool_pack(FvFramePool *pool);
void fv_frame_pool_close(FvFramePool **pool);

/* The place of samples outside the frame's own block: in memory of a GPU, or in memory shared with one. */
typedef struct FvFramePlace {
    const void *owner;   /* the FvGpu that can use the addresses */
    const void *memory;  /* the FvGpuMemory of `owner` with all planes, from its first byte on; NULL: not known */
    uint64_t address[3]; /* address of each plane for kernels */
    void *sync;          /* object that work on the samples must wait for (FvGpuOps.after_foreign); or NULL */
    uint64_t sync_value;
    const struct FvGpuFed *fed; /* uploads that work on the samples must wait for (gpu/feed.h); or NULL */
    /* The packet from which a device decodes the samples, which do not exist yet; or NULL. */
    struct FvProresPacket *packet;
    const struct FvUnprepared *unprepared;
    void (*release)(void *opaque); /* called when the last reference is released, in any thread */
    void *opaque;
} FvFramePlace;

/*
 * Makes a frame of samples elsewhere. data[]: NULL if the host cannot read them. Takes over `place`, which is
 * released on failure too.
 */
FvStatus fv_frame_wrap(FvFrame **frame, const FvFormat *format, uint8_t *const data[3], const ptrdiff_t stride[3],
                       const FvFramePlace *place, FvError *error);

/*
 * Releases the memory of a frame with a place before its last reference is released; data[] becomes NULL. Call it
 * after the host has read the samples, and not while other threads use the frame.
 */
void fv_frame_let_go(FvFrame *frame);

/* Records in the frame's place that a feed has sent the complete frame. */
void fv_frame_fed(FvFrame *frame, const struct FvGpuFed *fed);

/* Returns the place of a frame's samples; NULL: ordinary memory. */
const FvFramePlace *fv_frame_place(const FvFrame *frame);

/* Returns the packet from which a device decodes the frame; NULL: it has none, or `frame` is NULL. */
struct FvProresPacket *fv_frame_packet(const FvFrame *frame);

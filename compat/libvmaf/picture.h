/* Pictures: the ownership of their samples, and the frames that sessions get from them. */
#pragma once

#include <stdatomic.h>

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"

/*
 * Call at the beginning and the end of each context. While a context exists, memory of released pictures is kept for
 * new ones.
 */
void lv_picture_begin(void);
void lv_picture_end(void);

typedef struct LvPool LvPool;

struct VmafRef {
    atomic_int count;
    void *block;  /* the memory, with the samples near its beginning; for CUDA's memory, the pool's record of it */
    size_t bytes; /* bytes of the samples, in host memory */
    void *pool;   /* pool to which the last owner returns the block, by calling take_back in any thread; or NULL */
    void (*take_back)(void *pool, void *block);
    bool cuda; /* the samples are in CUDA's memory */
};

/* Returns whether pictures may have this format and depth. */
bool lv_picture_known(enum VmafPixelFormat format, unsigned bpc);

/*
 * Sets sizes, strides and bytes of a picture without samples, with rows padded to a multiple of `row` samples; false:
 * a number does not fit an int.
 */
bool lv_picture_lay_out(VmafPicture *picture, enum VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h,
                        unsigned row, size_t *bytes);

/* Gives a picture without samples its samples, and makes the caller the owner of `block`. */
int lv_picture_own(VmafPicture *picture, const VmafRef *block, void *samples);

/* Add and remove an owner. `ref`: the picture's ref. */
void lv_picture_hold(const VmafPicture *picture);
void lv_picture_release(void *ref);

/*
 * Opens a pool of equal pictures, of which at most cfg.pic_cnt are in use at once. It makes them on request, and
 * keeps them until the end.
 */
int lv_pool_open(LvPool **pool, VmafPictureConfiguration cfg);

/*
 * Keeps the pool in existence until the next lv_pool_fetch() has returned. Call before each lv_pool_fetch(), while
 * the pool is open.
 */
void lv_pool_enter(LvPool *pool);

/* Fetches a picture. Waits while all are in use. */
int lv_pool_fetch(LvPool *pool, VmafPicture *picture);

/* Closes a pool. Pictures that are still in use remain valid. Accepts a pointer to NULL. */
void lv_pool_close(LvPool **pool);

/* Gets the format of a picture. False: no session accepts it. */
bool lv_picture_format(const VmafPicture *picture, bool chroma, FvFormat *format);

/*
 * Makes a frame from a picture in host memory, in the format that lv_picture_format() returned; it is a copy if the
 * picture's layout does not suit. A column or row of chroma that the picture lacks repeats its neighbour; no feature
 * of libvmaf reads it.
 */
FvStatus lv_picture_frame(const VmafPicture *picture, const FvFormat *format, FvFrame **frame, FvError *error);

/*
 * Makes a frame from a picture for a session on a GPU: always a copy, in memory that the device reads directly, so
 * that the picture's memory can be used again.
 */
FvStatus lv_picture_upload(const VmafPicture *picture, FvSession *session, const FvFormat *format, FvFrame **frame,
                           FvError *error);

/* Pictures: the owners of their samples, and the frames that sessions get of them. */
#pragma once

#include <stdatomic.h>

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"

/* Around the life of each context: memory of pictures is kept for the next ones between. */
void lv_picture_begin(void);
void lv_picture_end(void);

typedef struct LvPool LvPool;

struct VmafRef {
    atomic_int count;
    void *block;  /* the memory, with the samples near its beginning; for CUDA's memory, the pool's record of it */
    size_t bytes; /* bytes of the samples, in host memory */
    void *pool;   /* where the block goes back to, by this call from any thread; or NULL */
    void (*take_back)(void *pool, void *block);
    bool cuda; /* the samples lie in CUDA's memory */
};

/* Whether there are pictures of such a format and depth. */
bool lv_picture_known(enum VmafPixelFormat format, unsigned bpc);

/*
 * Sizes, strides and bytes of a picture without samples, with rows of a multiple of `row` samples; false when the
 * numbers leave an int.
 */
bool lv_picture_lay_out(VmafPicture *picture, enum VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h,
                        unsigned row, size_t *bytes);

/* Gives such a picture its samples, and one owner of a block. */
int lv_picture_own(VmafPicture *picture, const VmafRef *block, void *samples);

/* One more owner, and one less; of the picture's ref, as an opaque pointer. */
void lv_picture_hold(const VmafPicture *picture);
void lv_picture_release(void *ref);

/* Pictures that are alike, at most cfg.pic_cnt of them at once. Made when they are asked for, kept until the end. */
int lv_pool_open(LvPool **pool, VmafPictureConfiguration cfg);

/* Before each lv_pool_fetch, while the pool is open: it stays until that call has returned. */
void lv_pool_enter(LvPool *pool);

/* Waits while all are out. */
int lv_pool_fetch(LvPool *pool, VmafPicture *picture);

/* Accepts a pointer to NULL. Pictures that are still out stay good. */
void lv_pool_close(LvPool **pool);

/* Gets the format of a picture. False: no session accepts it. */
bool lv_picture_format(const VmafPicture *picture, bool chroma, FvFormat *format);

/* A frame of a picture in host memory, a copy where that is not laid out for it, in a format made of it with
 * lv_picture_format. A column or row of chroma that the picture lacks repeats its neighbour: no feature of libvmaf
 * looks there. */
FvStatus lv_picture_frame(const VmafPicture *picture, const FvFormat *format, FvFrame **frame, FvError *error);

/* The same for a session on a GPU: always a copy, which goes to the device by itself, so that the picture's memory is
 * free for the next one. */
FvStatus lv_picture_upload(const VmafPicture *picture, FvSession *session, const FvFormat *format, FvFrame **frame,
                           FvError *error);

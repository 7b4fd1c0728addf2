/* Pictures: who owns their samples, and what the session is handed of them. */
#ifndef LV_PICTURE_H
#define LV_PICTURE_H

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"

/* Around the life of each context: memory of pictures is kept for the next ones between. */
void lv_picture_begin(void);
void lv_picture_end(void);

typedef struct LvPool LvPool;

/* Pictures that are alike, at most cfg.pic_cnt of them at once. Made when they are asked for, kept until the end. */
int lv_pool_open(LvPool **pool, VmafPictureConfiguration cfg);

/* Before each lv_pool_fetch, by somebody who knows that the pool is open: it stays until that has returned. */
void lv_pool_enter(LvPool *pool);

/* Waits while all are out. */
int lv_pool_fetch(LvPool *pool, VmafPicture *picture);

/* Accepts a pointer to NULL. Pictures that are still out stay good. */
void lv_pool_close(LvPool **pool);

/* What a picture is. False for one that no session takes. */
bool lv_picture_format(const VmafPicture *picture, bool chroma, FvFormat *format);

/* A copy, in a format made of it with lv_picture_format. A column or row of chroma that the picture lacks is that
 * beside it: no feature of libvmaf looks there. */
FvStatus lv_picture_frame(const VmafPicture *picture, const FvFormat *format, FvFrame **frame, FvError *error);

#endif

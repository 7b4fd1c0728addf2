#include "picture.h"
#include "float_mode.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 32 /* alignment of rows in bytes */
/* offset of the samples, and readable bytes after them, with which a session uses the frame without a copy */
#define BEGINNING 64

struct LvPool {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    VmafPictureConfiguration cfg;
    unsigned out;     /* number of pictures in use */
    unsigned waiting; /* number of calls that wait for a picture */
    unsigned free;    /* number of blocks not in use */
    void **block;
    bool closed;
};

/* ---- One picture ----------------------------------------------------------------------------------------------- */

bool lv_picture_lay_out(VmafPicture *picture, enum VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h,
                        unsigned row, size_t *bytes)
{
    bool luma = format == VMAF_PIX_FMT_YUV400P;
    int wide = bpc > 8 ? 2 : 1, half_w = format != VMAF_PIX_FMT_YUV444P, half_h = format == VMAF_PIX_FMT_YUV420P;
    if (w > INT_MAX / 4 || h > INT_MAX / 4)
        return false;
    *picture = (VmafPicture){.pix_fmt = format, .bpc = bpc};
    *bytes = 0;
    for (int plane = 0; plane < 3; plane++) {
        picture->w[plane] = plane && luma ? 0 : w >> (plane ? half_w : 0);
        picture->h[plane] = plane && luma ? 0 : h >> (plane ? half_h : 0);
        picture->stride[plane] = (ptrdiff_t)((picture->w[plane] + row - 1) / row * row) * wide;
        *bytes += (size_t)picture->stride[plane] * picture->h[plane];
    }
    return true;
}

static void point(VmafPicture *picture, void *samples)
{
    uint8_t *next = samples;
    for (int plane = 0; plane < 3; plane++) {
        picture->data[plane] = plane && picture->pix_fmt == VMAF_PIX_FMT_YUV400P ? NULL : next;
        next += (size_t)picture->stride[plane] * picture->h[plane];
    }
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

/*
 * Blocks of released pictures, kept for new pictures of the same size while a context exists: clients allocate new
 * pictures for every frame, and the system takes longer to map memory than to clear it.
 */
enum { SPARES = 6 };
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static int spare_users, spare_count;
static struct {
    void *block;
    size_t bytes;
} spare[SPARES];

void lv_picture_begin(void)
{
    pthread_mutex_lock(&spare_lock);
    spare_users++;
    pthread_mutex_unlock(&spare_lock);
}

void lv_picture_end(void)
{
    pthread_mutex_lock(&spare_lock);
    spare_users--;
    while (!spare_users && spare_count)
        free(spare[--spare_count].block);
    pthread_mutex_unlock(&spare_lock);
}

static void *make_block(size_t bytes)
{
    void *block = NULL;
    pthread_mutex_lock(&spare_lock);
    for (int i = spare_count - 1; i >= 0 && !block; i--)
        if (spare[i].bytes == bytes) {
            block = spare[i].block;
            spare[i] = spare[--spare_count];
        }
    pthread_mutex_unlock(&spare_lock);
    return block ? memset(block, 0, bytes + 2 * BEGINNING) : calloc(1, bytes + 2 * BEGINNING);
}

static void free_block(void *block, size_t bytes)
{
    pthread_mutex_lock(&spare_lock);
    bool keep = spare_users && spare_count < SPARES && block;
    if (keep) {
        spare[spare_count].block = block;
        spare[spare_count++].bytes = bytes;
    }
    pthread_mutex_unlock(&spare_lock);
    if (!keep)
        free(block);
}

/* ---- Ownership ------------------------------------------------------------------------------------------------- */

int lv_picture_own(VmafPicture *picture, const VmafRef *block, void *samples)
{
    picture->ref = malloc(sizeof *picture->ref);
    if (!picture->ref)
        return -ENOMEM;
    *picture->ref = *block;
    atomic_init(&picture->ref->count, 1);
    point(picture, samples);
    return 0;
}

static void *samples_of(void *block)
{
    return (uint8_t *)block + (BEGINNING - (uintptr_t)block % BEGINNING) % BEGINNING;
}

bool lv_picture_known(enum VmafPixelFormat format, unsigned bpc)
{
    return format >= VMAF_PIX_FMT_YUV420P && format <= VMAF_PIX_FMT_YUV400P && bpc >= 8 && bpc <= 16;
}

int vmaf_picture_alloc(VmafPicture *pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h)
{
    FV_FLOAT_MODE;
    if (!pic || !lv_picture_known(pix_fmt, bpc))
        return -EINVAL;
    size_t bytes = 0;
    VmafPicture made;
    void *block = lv_picture_lay_out(&made, pix_fmt, bpc, w, h, ALIGNMENT, &bytes) ? make_block(bytes) : NULL;
    const VmafRef owner = {.block = block, .bytes = bytes};
    int failed = block ? lv_picture_own(&made, &owner, samples_of(block)) : -ENOMEM;
    if (failed)
        free_block(block, bytes);
    else
        *pic = made;
    return failed;
}

/* ---- Pools ----------------------------------------------------------------------------------------------------- */

static void free_pool(LvPool *pool)
{
    while (pool->free)
        free(pool->block[--pool->free]);
    free(pool->block);
    pthread_cond_destroy(&pool->returned);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* Takes back the block of a released picture. `block` NULL: there is none to keep. */
static void take_back(void *opaque, void *block)
{
    LvPool *pool = opaque;
    pthread_mutex_lock(&pool->lock);
    if (block)
        pool->block[pool->free++] = block;
    pool->out--;
    bool last = pool->closed && !pool->out && !pool->waiting;
    pthread_cond_signal(&pool->returned);
    pthread_mutex_unlock(&pool->lock);
    if (last)
        free_pool(pool);
}

int lv_pool_open(LvPool **pool, VmafPictureConfiguration cfg)
{
    if (!cfg.pic_params.w || !cfg.pic_params.h || !cfg.pic_cnt ||
        !lv_picture_known(cfg.pic_params.pix_fmt, cfg.pic_params.bpc))
        return -EINVAL;
    LvPool *made = calloc(1, sizeof *made);
    if (made)
        made->block = calloc(cfg.pic_cnt, sizeof *made->block);
    if (!made || !made->block) {
        free(made);
        return -ENOMEM;
    }
    made->cfg = cfg;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->returned, NULL);
    VmafPicture first;
    lv_pool_enter(made);
    int failed = lv_pool_fetch(made, &first);
    if (failed)
        lv_pool_close(&made);
    else
        vmaf_picture_unref(&first);
    *pool = made;
    return failed;
}

void lv_pool_enter(LvPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->waiting++;
    pthread_mutex_unlock(&pool->lock);
}

int lv_pool_fetch(LvPool *pool, VmafPicture *picture)
{
    size_t bytes = 0;
    VmafPicture made;
    pthread_mutex_lock(&pool->lock);
    while (pool->out == pool->cfg.pic_cnt)
        pthread_cond_wait(&pool->returned, &pool->lock);
    pool->waiting--;
    pool->out++;
    void *block = pool->free ? pool->block[--pool->free] : NULL;
    pthread_mutex_unlock(&pool->lock);
    bool fits = lv_picture_lay_out(&made, pool->cfg.pic_params.pix_fmt, pool->cfg.pic_params.bpc,
                                   pool->cfg.pic_params.w, pool->cfg.pic_params.h, ALIGNMENT, &bytes);
    block = block || !fits ? block : make_block(bytes);
    const VmafRef owner = {.block = block, .pool = pool, .take_back = take_back};
    int failed = block ? lv_picture_own(&made, &owner, samples_of(block)) : -ENOMEM;
    if (failed)
        take_back(pool, block);
    else
        *picture = made;
    return failed;
}

void lv_pool_close(LvPool **pool)
{
    LvPool *closed = *pool;
    if (!closed)
        return;
    *pool = NULL;
    pthread_mutex_lock(&closed->lock);
    closed->closed = true;
    bool last = !closed->out && !closed->waiting;
    pthread_mutex_unlock(&closed->lock);
    if (last)
        free_pool(closed);
}

void lv_picture_hold(const VmafPicture *picture)
{
    atomic_fetch_add(&picture->ref->count, 1);
}

void lv_picture_release(void *opaque)
{
    VmafRef *ref = opaque;
    if (atomic_fetch_sub(&ref->count, 1) > 1)
        return;
    if (ref->pool)
        ref->take_back(ref->pool, ref->block);
    else
        free_block(ref->block, ref->bytes);
    free(ref);
}

int vmaf_picture_unref(VmafPicture *pic)
{
    FV_FLOAT_MODE;
    if (!pic || !pic->ref)
        return -EINVAL;
    VmafRef *ref = pic->ref;
    *pic = (VmafPicture){0};
    lv_picture_release(ref);
    return 0;
}

/* ---- For the session ------------------------------------------------------------------------------------------- */

bool lv_picture_format(const VmafPicture *picture, bool chroma, FvFormat *format)
{
    static const FvChroma names[] = {[VMAF_PIX_FMT_YUV420P] = FV_CHROMA_420,
                                     [VMAF_PIX_FMT_YUV422P] = FV_CHROMA_422,
                                     [VMAF_PIX_FMT_YUV444P] = FV_CHROMA_444,
                                     [VMAF_PIX_FMT_YUV400P] = FV_CHROMA_400};
    if (!lv_picture_known(picture->pix_fmt, picture->bpc) || picture->w[0] > INT_MAX || picture->h[0] > INT_MAX)
        return false;
    *format = (FvFormat){.width = (int)picture->w[0],
                         .height = (int)picture->h[0],
                         .chroma = chroma ? names[picture->pix_fmt] : FV_CHROMA_400,
                         .depth = (int)picture->bpc};
    return true;
}

static void copy_plane(const VmafPicture *picture, int plane, FvFrame *frame)
{
    int width, height, sample = fv_format_sample_bytes(&frame->format);
    fv_format_plane_size(&frame->format, plane, &width, &height);
    size_t bytes = (size_t)picture->w[plane] * (size_t)sample;
    bool narrow = picture->w[plane] < (unsigned)width;
    for (int y = 0; y < height; y++) {
        int row = y < (int)picture->h[plane] ? y : (int)picture->h[plane] - 1;
        uint8_t *to = frame->data[plane] + y * frame->stride[plane];
        if (bytes && row >= 0)
            memcpy(to, (const uint8_t *)picture->data[plane] + row * picture->stride[plane], bytes);
        if (narrow && bytes && row >= 0)
            memcpy(to + bytes, to + bytes - sample, (size_t)sample);
        else if (!bytes || row < 0)
            memset(to, 0, (size_t)width * (size_t)sample);
    }
}

/* Copies the planes. A picture of odd size lacks the last column or row of chroma, which is repeated. */
static FvStatus copy_planes(const VmafPicture *picture, FvFrame *frame, FvError *error)
{
    bool whole = true;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        whole = whole && picture->w[plane] == (unsigned)width && picture->h[plane] == (unsigned)height;
    }
    if (whole)
        return fv_frame_fill(frame, (const void *const *)picture->data, picture->stride, error);
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++)
        copy_plane(picture, plane, frame);
    return FV_OK;
}

/*
 * Returns whether the frame can use the picture's memory. Memory of a pool's picture cannot be used: a client that
 * waits for the picture's release would wait for a session that waits for the client.
 */
static bool lies_well(const VmafPicture *picture, const FvFormat *format)
{
    bool well = !picture->ref->pool;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        well = well && (unsigned)width == picture->w[plane] && (unsigned)height == picture->h[plane] &&
               (uintptr_t)picture->data[plane] % BEGINNING == 0 && picture->stride[plane] % BEGINNING == 0;
    }
    return well;
}

FvStatus lv_picture_frame(const VmafPicture *picture, const FvFormat *format, FvFrame **frame, FvError *error)
{
    if (lies_well(picture, format)) {
        lv_picture_hold(picture);
        return fv_frame_borrow(frame, format, picture->data, picture->stride, lv_picture_release, picture->ref,
                               error);
    }
    FvStatus status = fv_frame_alloc(frame, format, error);
    return status ? status : copy_planes(picture, *frame, error);
}

FvStatus lv_picture_upload(const VmafPicture *picture, FvSession *session, const FvFormat *format, FvFrame **frame,
                           FvError *error)
{
    if (fv_session_frame(session, frame, format, FV_MEMORY_PINNED, error))
        return lv_picture_frame(picture, format, frame, error);
    return copy_planes(picture, *frame, error);
}

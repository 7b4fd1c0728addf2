#include "cuda_pictures.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "picture.h"

#define ROW 256     /* rows are padded to a multiple of this many samples, more than kernels and copies require */
#define PADDING 64  /* readable bytes after the samples of a frame on the host */
#define NO_TIMING 2 /* CU_EVENT_DISABLE_TIMING */

typedef struct Block {
    uint64_t address;
    struct Block *next; /* next in the list of idle blocks */
} Block;

struct LvCudaPool {
    pthread_mutex_t lock;
    const LvCudaCalls *calls;
    LvCudaContext context;
    int device;
    bool primary, closed;
    VmafCudaPictureConfiguration cfg;
    unsigned out; /* number of pictures in use */
    Block *idle;
};

/* ---- The pool -------------------------------------------------------------------------------------------------- */

static void free_pool(LvCudaPool *pool)
{
    LvCudaContext popped;
    bool entered = !pool->calls->push(pool->context);
    while (pool->idle) {
        Block *block = pool->idle;
        pool->idle = block->next;
        if (entered)
            pool->calls->free(block->address);
        free(block);
    }
    if (entered)
        pool->calls->pop(&popped);
    if (pool->primary)
        pool->calls->release(pool->device);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void take_back(void *opaque, void *block)
{
    LvCudaPool *pool = opaque;
    Block *returned = block;
    pthread_mutex_lock(&pool->lock);
    returned->next = pool->idle;
    pool->idle = returned;
    bool last = --pool->out == 0 && pool->closed;
    pthread_mutex_unlock(&pool->lock);
    if (last)
        free_pool(pool);
}

void lv_cuda_pool_close(LvCudaPool **pool)
{
    LvCudaPool *closed = *pool;
    *pool = NULL;
    if (!closed)
        return;
    pthread_mutex_lock(&closed->lock);
    closed->closed = true;
    bool last = !closed->out;
    pthread_mutex_unlock(&closed->lock);
    if (last)
        free_pool(closed);
}

static Block *make_block(const LvCudaPool *pool, size_t bytes)
{
    LvCudaContext popped;
    Block *block = calloc(1, sizeof *block);
    int failed = block ? pool->calls->push(pool->context) : -1;
    if (!failed) {
        failed = pool->calls->alloc(&block->address, bytes);
        pool->calls->pop(&popped);
    }
    if (failed)
        free(block);
    return failed ? NULL : block;
}

int lv_cuda_pool_fetch(LvCudaPool *pool, VmafPicture *picture)
{
    size_t bytes;
    VmafPicture made;
    if (!lv_picture_lay_out(&made, pool->cfg.pic_params.pix_fmt, pool->cfg.pic_params.bpc, pool->cfg.pic_params.w,
                            pool->cfg.pic_params.h, ROW, &bytes))
        return -ENOMEM;
    pthread_mutex_lock(&pool->lock);
    Block *block = pool->idle;
    if (block)
        pool->idle = block->next;
    pool->out++;
    pthread_mutex_unlock(&pool->lock);
    if (!block)
        block = make_block(pool, bytes);
    const VmafRef owner = {.block = block, .pool = pool, .take_back = take_back, .cuda = true};
    if (block && !lv_picture_own(&made, &owner, (void *)(uintptr_t)block->address)) {
        *picture = made;
        return 0;
    }
    if (block) {
        take_back(pool, block);
    } else {
        pthread_mutex_lock(&pool->lock);
        pool->out--;
        pthread_mutex_unlock(&pool->lock);
    }
    return -ENOMEM;
}

int lv_cuda_pool_open(LvCuda *cuda, const VmafCudaPictureConfiguration *cfg)
{
    VmafPicture first;
    LvCudaContext same;
    LvCudaPool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return -ENOMEM;
    *pool = (LvCudaPool){.calls = cuda->calls, .context = cuda->context, .device = cuda->device, .cfg = *cfg};
    pthread_mutex_init(&pool->lock, NULL);
    pool->primary = cuda->primary && !cuda->calls->retain(&same, cuda->device);
    int failed = cuda->primary && !pool->primary ? -ENOMEM : lv_cuda_pool_fetch(pool, &first);
    if (!failed)
        vmaf_picture_unref(&first);
    else
        lv_cuda_pool_close(&pool);
    if (failed)
        return failed;
    lv_cuda_pool_close(&cuda->pool);
    cuda->pool = pool;
    return 0;
}

void lv_cuda_close(LvCuda **cuda)
{
    LvCuda *closed = *cuda;
    LvCudaContext popped;
    *cuda = NULL;
    if (!closed)
        return;
    lv_cuda_pool_close(&closed->pool);
    if (closed->event && !closed->calls->push(closed->context)) {
        closed->calls->event_destroy(closed->event);
        closed->calls->pop(&popped);
    }
    if (closed->primary)
        closed->calls->release(closed->device);
    free(closed);
}

/* ---- Frames -------------------------------------------------------------------------------------------------- */

static FvStatus fail_frame(FvError *error, FvStatus status, const char *message)
{
    *error = (FvError){.status = status};
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* Records an event on the default stream, which also covers the streams that synchronise with it. */
FvStatus lv_cuda_mark(LvCuda *cuda, FvError *error)
{
    LvCudaContext popped;
    const LvCudaCalls *calls = cuda->calls;
    int failed = calls->push(cuda->context);
    if (!failed) {
        failed = cuda->event ? 0 : calls->event_create(&cuda->event, NO_TIMING);
        failed = failed ? failed : calls->event_record(cuda->event, NULL);
        calls->pop(&popped);
    }
    return failed ? fail_frame(error, FV_ERROR_DEVICE, "the client's CUDA context failed") : FV_OK;
}

static FvStatus download(LvCuda *cuda, const VmafPicture *picture, const FvFormat *format, FvFrame **frame,
                         FvError *error)
{
    LvCudaContext popped;
    size_t bytes = (size_t)picture->stride[0] * picture->h[0];
    uint8_t *block = malloc(bytes + 2 * PADDING);
    if (!block)
        return fail_frame(error, FV_ERROR_MEMORY, "out of memory for a copy of a picture");
    uint8_t *first = block + PADDING - (uintptr_t)block % PADDING;
    int failed = cuda->calls->push(cuda->context);
    if (!failed) {
        failed = cuda->calls->download(first, (uint64_t)(uintptr_t)picture->data[0], bytes);
        cuda->calls->pop(&popped);
    }
    if (failed) {
        free(block);
        return fail_frame(error, FV_ERROR_DEVICE, "a picture in CUDA's memory cannot be copied to the host");
    }
    return fv_frame_borrow(frame, format, (void *[3]){first}, (ptrdiff_t[3]){picture->stride[0]}, free, block, error);
}

FvStatus lv_cuda_frame(LvCuda *cuda, FvSession *session, const VmafPicture *picture, const FvFormat *format,
                       FvFrame **frame, FvError *error)
{
    if (!cuda || ((const LvCudaPool *)picture->ref->pool)->context != cuda->context)
        return fail_frame(error, FV_ERROR_USAGE, "a picture lies in a CUDA context that was not imported");
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    if (handles.cuda_context != cuda->context || !fv_session_takes_device_frames(session))
        return download(cuda, picture, format, frame, error);
    const FvDeviceFrame where = {.address = {(uint64_t)(uintptr_t)picture->data[0]},
                                 .stride = {picture->stride[0]},
                                 .sync = cuda->event,
                                 .release = lv_picture_release,
                                 .opaque = picture->ref};
    lv_picture_hold(picture);
    return fv_session_wrap(session, frame, format, &where, error);
}

/* Pictures in CUDA's memory: the functions of the interface, and what they keep. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "cuda_calls.h"
#include "cuda_pictures.h"
#include "log.h"

#define ROW 256     /* samples that rows are multiples of: more than kernels and copies ask for */
#define PADDING 64  /* readable bytes behind the samples of a frame on the host */
#define NO_TIMING 2 /* CU_EVENT_DISABLE_TIMING */

/*
 * A context, the client's or a device's primary one. There is one state for each context, kept until the program ends
 * because the interface has no call that gives one back.
 */
struct VmafCudaState {
    LvCudaContext context; /* the client's; NULL: the device's primary one, which is had when the state is imported */
    int device;
    VmafCudaState *next;
};

static pthread_mutex_t states_lock = PTHREAD_MUTEX_INITIALIZER;
static VmafCudaState *states;

struct LvCuda {
    const LvCudaCalls *calls;
    const VmafCudaState *state;
    LvCudaContext context;
    int device;
    bool primary;
    LvCudaEvent event; /* recorded after the client's work; NULL before the first picture */
    VmafCudaPictureConfiguration cfg;
    LvCudaPool *pool;
};

typedef struct Block {
    uint64_t address;
    struct Block *next; /* among the idle ones */
} Block;

struct LvCudaPool {
    pthread_mutex_t lock;
    const LvCudaCalls *calls;
    LvCudaContext context;
    int device;
    bool primary, closed;
    VmafCudaPictureConfiguration cfg;
    unsigned out; /* pictures somebody has */
    Block *idle;
};

static const LvCudaCalls *find_calls(void)
{
    const char *why;
    const LvCudaCalls *calls = lv_cuda_calls(&why);
    if (!calls)
        lv_log(VMAF_LOG_LEVEL_ERROR, "pictures in CUDA's memory cannot be used: %s", why);
    return calls;
}

/* ---- States ------------------------------------------------------------------------------------------------------
 */

/* The device that FOVEA_DEVICE names, or the first. */
static int choose_device(const LvCudaCalls *calls, int *device)
{
    const char *name = getenv("FOVEA_DEVICE");
    int count = 0, index = name && !strncmp(name, "cuda:", 5) ? atoi(name + 5) : 0;
    if (calls->device_count(&count) || index < 0 || index >= count || calls->device_get(device, index)) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "there is no device cuda:%d", index);
        return -EINVAL;
    }
    return 0;
}

static int find_device(const LvCudaCalls *calls, LvCudaContext context, int *device)
{
    LvCudaContext popped;
    int failed = calls->push(context);
    if (!failed) {
        failed = calls->context_device(device);
        calls->pop(&popped);
    }
    if (failed)
        lv_log(VMAF_LOG_LEVEL_ERROR, "the client's CUDA context cannot be used");
    return failed ? -EINVAL : 0;
}

static VmafCudaState *state_of(LvCudaContext context, int device)
{
    for (VmafCudaState *state = states; state; state = state->next)
        if (state->context == context && state->device == device)
            return state;
    VmafCudaState *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    *state = (VmafCudaState){context, device, states};
    return states = state;
}

int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg)
{
    if (!cu_state)
        return -EINVAL;
    *cu_state = NULL;
    int device = 0;
    const LvCudaCalls *calls = find_calls();
    if (!calls)
        return -EINVAL;
    int failed = cfg.cu_ctx ? find_device(calls, cfg.cu_ctx, &device) : choose_device(calls, &device);
    if (failed)
        return failed;
    pthread_mutex_lock(&states_lock);
    *cu_state = state_of(cfg.cu_ctx, device);
    pthread_mutex_unlock(&states_lock);
    return *cu_state ? 0 : -ENOMEM;
}

static int import(VmafContext *context, const VmafCudaState *state)
{
    if (context->cuda && context->cuda->state == state)
        return 0;
    if (context->cuda && (context->started || context->cuda->pool)) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "a CUDA state is imported before pictures are allocated or read");
        return -EINVAL;
    }
    const LvCudaCalls *calls = find_calls();
    if (!calls)
        return -EINVAL;
    LvCuda *made = calloc(1, sizeof *made);
    LvCudaContext primary = NULL;
    if (!made)
        return -ENOMEM;
    if (!state->context && calls->retain(&primary, state->device)) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "the GPU's primary CUDA context cannot be had");
        free(made);
        return -EINVAL;
    }
    *made = (LvCuda){.calls = calls,
                     .state = state,
                     .context = primary ? primary : state->context,
                     .device = state->device,
                     .primary = primary};
    lv_cuda_close(&context->cuda);
    context->cuda = made;
    return 0;
}

int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state)
{
    if (!vmaf || !cu_state)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = import(vmaf, cu_state);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

void *lv_cuda_context(const LvCuda *cuda)
{
    return cuda->context;
}

bool lv_cuda_on_device(const LvCuda *cuda)
{
    return cuda->pool != NULL;
}

/* ---- The pool ----------------------------------------------------------------------------------------------------
 */

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

void lv_cuda_take_back(LvCudaPool *pool, void *block)
{
    Block *returned = block;
    pthread_mutex_lock(&pool->lock);
    returned->next = pool->idle;
    pool->idle = returned;
    bool last = --pool->out == 0 && pool->closed;
    pthread_mutex_unlock(&pool->lock);
    if (last)
        free_pool(pool);
}

static void close_pool(LvCudaPool **pool)
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

/* -ENOMEM: it could be had when others have come back. */
static int fetch(LvCudaPool *pool, VmafPicture *picture)
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
    if (block && !lv_picture_own(&made, block, (void *)(uintptr_t)block->address, pool)) {
        *picture = made;
        return 0;
    }
    if (block) {
        lv_cuda_take_back(pool, block);
    } else {
        pthread_mutex_lock(&pool->lock);
        pool->out--;
        pthread_mutex_unlock(&pool->lock);
    }
    return -ENOMEM;
}

static int open_pool(LvCuda *cuda, const VmafCudaPictureConfiguration *cfg)
{
    VmafPicture first;
    LvCudaContext same;
    LvCudaPool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return -ENOMEM;
    *pool = (LvCudaPool){.calls = cuda->calls, .context = cuda->context, .device = cuda->device, .cfg = *cfg};
    pthread_mutex_init(&pool->lock, NULL);
    pool->primary = cuda->primary && !cuda->calls->retain(&same, cuda->device);
    int failed = cuda->primary && !pool->primary ? -ENOMEM : fetch(pool, &first);
    if (!failed)
        vmaf_picture_unref(&first);
    else
        close_pool(&pool);
    if (failed)
        return failed;
    close_pool(&cuda->pool);
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
    close_pool(&closed->pool);
    if (closed->event && !closed->calls->push(closed->context)) {
        closed->calls->event_destroy(closed->event);
        closed->calls->pop(&popped);
    }
    if (closed->primary)
        closed->calls->release(closed->device);
    free(closed);
}

static int preallocate(VmafContext *context, const VmafCudaPictureConfiguration *cfg)
{
    enum VmafCudaPicturePreallocationMethod method = cfg->pic_prealloc_method;
    if ((unsigned)method > VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "CUDA pictures cannot be allocated by method %d", (int)method);
        return -EINVAL;
    }
    if (!context->cuda) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "a CUDA state is imported before its pictures are allocated");
        return -EINVAL;
    }
    bool known = lv_picture_known(cfg->pic_params.pix_fmt, cfg->pic_params.bpc);
    if (method && (!known || !cfg->pic_params.w || !cfg->pic_params.h)) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "CUDA pictures of %ux%u, %u bits, format %d cannot be allocated",
               cfg->pic_params.w, cfg->pic_params.h, cfg->pic_params.bpc, (int)cfg->pic_params.pix_fmt);
        return -EINVAL;
    }
    int failed = 0;
    if (method == VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE)
        failed = open_pool(context->cuda, cfg);
    else
        close_pool(&context->cuda->pool);
    if (!failed)
        context->cuda->cfg = *cfg;
    return failed;
}

int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg)
{
    if (!vmaf)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = preallocate(vmaf, &cfg);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

/* Pictures come back when the session has scored them: when there is no memory for another, it is waited for. */
static int fetch_any(VmafContext *context, VmafPicture *picture)
{
    const LvCuda *cuda = context->cuda;
    if (!cuda || !cuda->cfg.pic_prealloc_method)
        return -EINVAL;
    if (!cuda->pool)
        return vmaf_picture_alloc(picture, cuda->cfg.pic_params.pix_fmt, cuda->cfg.pic_params.bpc,
                                  cuda->cfg.pic_params.w, cuda->cfg.pic_params.h);
    int failed = fetch(cuda->pool, picture);
    if (!failed)
        return 0;
    lv_context_take(context);
    return fetch(cuda->pool, picture);
}

int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic)
{
    if (!vmaf || !pic)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = fetch_any(vmaf, pic);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

/* ---- For the session --------------------------------------------------------------------------------------------
 */

static FvStatus fail(FvError *error, FvStatus status, const char *message)
{
    *error = (FvError){.status = status};
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* Streams that wait for the default stream, which it waits for, are covered, too. */
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
    return failed ? fail(error, FV_ERROR_DEVICE, "the client's CUDA context failed") : FV_OK;
}

static FvStatus download(LvCuda *cuda, const VmafPicture *picture, const FvFormat *format, FvFrame **frame,
                         FvError *error)
{
    LvCudaContext popped;
    size_t bytes = (size_t)picture->stride[0] * picture->h[0];
    void *block = aligned_alloc(PADDING, (bytes + 2 * PADDING - 1) / PADDING * PADDING);
    if (!block)
        return fail(error, FV_ERROR_MEMORY, "there is no memory for a copy of a picture");
    int failed = cuda->calls->push(cuda->context);
    if (!failed) {
        failed = cuda->calls->download(block, (uint64_t)(uintptr_t)picture->data[0], bytes);
        cuda->calls->pop(&popped);
    }
    if (failed) {
        free(block);
        return fail(error, FV_ERROR_DEVICE, "a picture in CUDA's memory cannot be copied to the host");
    }
    return fv_frame_borrow(frame, format, (void *[3]){block}, (ptrdiff_t[3]){picture->stride[0]}, free, block, error);
}

FvStatus lv_cuda_frame(LvCuda *cuda, FvSession *session, const VmafPicture *picture, const FvFormat *format,
                       FvFrame **frame, FvError *error)
{
    if (!cuda || picture->ref->cuda->context != cuda->context)
        return fail(error, FV_ERROR_USAGE, "a picture lies in a CUDA context that was not imported");
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

/* Implements the interface for pictures in CUDA's memory. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "float_mode.h"
#include "log.h"
#include "sessions.h"

/*
 * A CUDA context, the client's or a device's primary one. Each context has one state, which is never freed, because
 * the interface has no call to release it.
 */
struct VmafCudaState {
    LvCudaContext context; /* the client's; NULL: the device's primary one, retained when the state is imported */
    int device;
    VmafCudaState *next;
};

static pthread_mutex_t states_lock = PTHREAD_MUTEX_INITIALIZER;
static VmafCudaState *states;

static const LvCudaCalls *find_calls(void)
{
    const char *why;
    const LvCudaCalls *calls = lv_cuda_calls(&why);
    if (!calls)
        lv_log(VMAF_LOG_LEVEL_ERROR, "pictures in CUDA's memory cannot be used: %s", why);
    return calls;
}

/* ---- States ---------------------------------------------------------------------------------------------------- */

/* Chooses the device that FOVEA_DEVICE names, or the first. */
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
    FV_FLOAT_MODE;
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
        lv_log(VMAF_LOG_LEVEL_ERROR, "import the CUDA state before pictures are allocated or read");
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
        lv_log(VMAF_LOG_LEVEL_ERROR, "the GPU's primary CUDA context cannot be retained");
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
    FV_FLOAT_MODE;
    if (!vmaf || !cu_state)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = import(vmaf, cu_state);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

static int preallocate(VmafContext *context, const VmafCudaPictureConfiguration *cfg)
{
    enum VmafCudaPicturePreallocationMethod method = cfg->pic_prealloc_method;
    if ((unsigned)method > VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "CUDA pictures cannot be allocated by method %d", (int)method);
        return -EINVAL;
    }
    if (!context->cuda) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "import the CUDA state before its pictures are allocated");
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
        failed = lv_cuda_pool_open(context->cuda, cfg);
    else
        lv_cuda_pool_close(&context->cuda->pool);
    if (!failed)
        context->cuda->cfg = *cfg;
    return failed;
}

int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg)
{
    FV_FLOAT_MODE;
    if (!vmaf)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = preallocate(vmaf, &cfg);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

/*
 * Fetches a picture. If memory for another is lacking, waits until the session has scored a picture and so released
 * it.
 */
static int fetch_any(VmafContext *context, VmafPicture *picture)
{
    const LvCuda *cuda = context->cuda;
    if (!cuda || !cuda->cfg.pic_prealloc_method)
        return -EINVAL;
    if (!cuda->pool)
        return vmaf_picture_alloc(picture, cuda->cfg.pic_params.pix_fmt, cuda->cfg.pic_params.bpc,
                                  cuda->cfg.pic_params.w, cuda->cfg.pic_params.h);
    int failed = lv_cuda_pool_fetch(cuda->pool, picture);
    if (!failed)
        return 0;
    lv_sessions_take(context);
    return lv_cuda_pool_fetch(cuda->pool, picture);
}

int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic)
{
    FV_FLOAT_MODE;
    if (!vmaf || !pic)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = fetch_any(vmaf, pic);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

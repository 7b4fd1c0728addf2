/*
 * Hands frames that lie in a device's memory to a session, as a decoder on the same device would.
 *
 *     cc device_frames.c $(pkg-config --cflags --libs fovea) -ldl -o device_frames
 *     ./device_frames cuda
 *
 * On CUDA the reference frames are the session's device memory and the distorted ones memory of our own; both are
 * filled on a stream of our own, and an event tells the session when. On any other device the frames are pinned host
 * memory, which the session uploads without copying it first.
 */
#include <dlfcn.h>
#include <string.h>

#include <fovea/fovea.h>

#define FRAMES 8

static const FvFormat format = {.width = 640, .height = 360, .chroma = FV_CHROMA_420, .depth = 8};

/* The few calls of the CUDA driver API that we need. */
typedef struct Cuda {
    int (*push)(void *context), (*pop)(void **context);
    int (*stream_create)(void **stream, unsigned flags), (*stream_destroy)(void *stream);
    int (*event_create)(void **event, unsigned flags), (*event_record)(void *event, void *stream);
    int (*alloc)(uint64_t *pointer, size_t bytes), (*release)(uint64_t pointer);
    int (*fill)(uint64_t pointer, unsigned char value, size_t bytes, void *stream);
    void *stream, *event;
} Cuda;

static Cuda cuda;

static bool cuda_open(const FvDeviceHandles *device)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return false;
    *(void **)&cuda.push = dlsym(library, "cuCtxPushCurrent_v2");
    *(void **)&cuda.pop = dlsym(library, "cuCtxPopCurrent_v2");
    *(void **)&cuda.stream_create = dlsym(library, "cuStreamCreate");
    *(void **)&cuda.stream_destroy = dlsym(library, "cuStreamDestroy_v2");
    *(void **)&cuda.event_create = dlsym(library, "cuEventCreate");
    *(void **)&cuda.event_record = dlsym(library, "cuEventRecord");
    *(void **)&cuda.alloc = dlsym(library, "cuMemAlloc_v2");
    *(void **)&cuda.release = dlsym(library, "cuMemFree_v2");
    *(void **)&cuda.fill = dlsym(library, "cuMemsetD8Async");
    return !cuda.push(device->cuda_context) && !cuda.stream_create(&cuda.stream, 1) &&
           !cuda.event_create(&cuda.event, 2);
}

/* Stands for a decoder: a flat picture, `value` in luma and grey in chroma. */
static void fill_on_device(const FvDeviceFrame *where, int value)
{
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&format, plane, &width, &height);
        cuda.fill(where->address[plane], (unsigned char)(plane ? 128 : value),
                  (size_t)where->stride[plane] * (size_t)height, cuda.stream);
    }
}

static void free_own(void *opaque)
{
    cuda.release((uint64_t)(uintptr_t)opaque);
}

/* A frame over one block of our own. */
static FvStatus wrap_own(FvSession *session, FvFrame **frame, int value, FvError *error)
{
    const ptrdiff_t stride = 768;
    uint64_t block = 0;
    FvDeviceFrame where = {.stride = {stride, stride, stride}, .release = free_own, .sync = cuda.event};
    if (cuda.alloc(&block, (size_t)stride * (size_t)format.height * 2))
        return FV_ERROR_DEVICE;
    where.opaque = (void *)(uintptr_t)block;
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&format, plane, &width, &height);
        where.address[plane] = block;
        block += (uint64_t)stride * (uint64_t)height;
    }
    fill_on_device(&where, value);
    return fv_session_wrap(session, frame, &format, &where, error);
}

static FvStatus make_pair_cuda(FvSession *session, FvFrame **reference, FvFrame **distorted, int i, FvError *error)
{
    FvDeviceFrame where;
    FvStatus status = fv_session_frame(session, reference, &format, FV_MEMORY_DEVICE, error);
    if (status || !fv_frame_device(*reference, &where))
        return status;
    fill_on_device(&where, 100);
    fv_frame_sync(*reference, cuda.event, 0);
    status = wrap_own(session, distorted, 101 + i, error);
    cuda.event_record(cuda.event, cuda.stream);
    return status;
}

static FvStatus make_pair_pinned(FvSession *session, FvFrame **reference, FvFrame **distorted, int i, FvError *error)
{
    FvStatus status = fv_session_frame(session, reference, &format, FV_MEMORY_PINNED, error);
    if (!status)
        status = fv_session_frame(session, distorted, &format, FV_MEMORY_PINNED, error);
    for (int plane = 0; plane < 3 && !status; plane++) {
        int width, height;
        fv_format_plane_size(&format, plane, &width, &height);
        memset((*reference)->data[plane], plane ? 128 : 100, (size_t)(*reference)->stride[plane] * (size_t)height);
        memset((*distorted)->data[plane], plane ? 128 : 101 + i,
               (size_t)(*distorted)->stride[plane] * (size_t)height);
    }
    return status;
}

static FvStatus score_device_frames(FvSession *session, FvError *error)
{
    FvDeviceHandles device;
    fv_session_device(session, &device);
    bool on_cuda = !strcmp(device.kind, "cuda") && cuda_open(&device);
    FvStatus status = fv_session_start(session, &format, &format, error);
    for (int i = 0; i < FRAMES && !status; i++) {
        FvFrame *reference = NULL, *distorted = NULL;
        status = (on_cuda ? make_pair_cuda : make_pair_pinned)(session, &reference, &distorted, i, error);
        if (!status)
            status = fv_session_push(session, i, reference, distorted, error);
        fv_frame_unref(&reference);
        fv_frame_unref(&distorted);
    }
    return status ? status : fv_session_finish(session, error);
}

int main(int argc, char **argv)
{
    FvError error = {0};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = argc > 1 ? argv[1] : "auto"}, &error);
    if (!status)
        status = fv_session_add(session, "psnr", &error);
    if (!status)
        status = score_device_frames(session, &error);
    for (int64_t i = 0; session && i < fv_session_frames(session); i++)
        printf("frame %d: psnr_y %.6f dB\n", (int)i, fv_session_value(session, i, 0));
    if (status)
        fprintf(stderr, "device_frames: %s\n", error.message);
    fv_session_close(&session);
    return (int)status;
}

#include "bench_gpu.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "devices.h"
#include "frame.h"
#include "gpu/batches.h"
#include "kernel/host.h"

#include "kernel/copy.h"
#include "session.h"

#define ROUNDS 3
#define SECONDS 0.3
#define COPY_BYTES ((size_t)1 << 28)
#define COPIES 8
#define MAX_PAIRS 512
/* So many bytes of different frames, that no cache holds them. */
#define CLIP_BYTES 4e8

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Plain copies ------------------------------------------------------------------------------------------- */

static double upload_rate, local_rate; /* bytes a second; local: read plus written */

extern const FvKernel fv_kernel_copy;

/* A driver's own copy inside the device may be slower than what kernels reach. */
static void copy_inside(FvGpu *gpu, const FvGpuMemory *to, const FvGpuMemory *from)
{
    const uint32_t groups = 4096;
    FvCopyArgs args = {from->address, to->address, COPY_BYTES / 16, groups * FV_COPY_THREADS};
    gpu->ops->launch(gpu, FV_GPU_COMPUTE, &fv_kernel_copy, &args, groups, 1, 1);
    gpu->ops->barrier(gpu, FV_GPU_COMPUTE);
}

static FvStatus time_copy(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, const FvGpuMemory *from, double *rate,
                          FvError *error)
{
    *rate = 0;
    for (int round = -1; round < ROUNDS; round++) {
        uint64_t ticket;
        double start = now();
        FvStatus status = gpu->ops->begin(gpu, queue, error);
        for (int i = 0; i < COPIES && !status; i++)
            if (to->host || from->host)
                gpu->ops->copy(gpu, queue, to, 0, from, 0, COPY_BYTES);
            else
                copy_inside(gpu, to, from);
        if (!status)
            status = gpu->ops->submit(gpu, queue, &ticket, error);
        if (!status)
            status = gpu->ops->wait(gpu, queue, ticket, error);
        if (status)
            return status;
        double speed = COPIES * (double)COPY_BYTES / (now() - start);
        if (round >= 0 && speed > *rate)
            *rate = speed;
    }
    return FV_OK;
}

FvStatus bench_gpu_copies(const char *name, FvError *error)
{
    FvDevice *device;
    FvStatus status = fv_device_open(&device, &(FvDeviceParams){name, FV_ISA_SCALAR, 1}, error);
    if (status)
        return status;
    FvGpu *gpu = fv_gpu_of_device(device);
    FvGpuMemory host = {0}, local[2] = {{0}, {0}};
    double download_rate = 0;
    status = gpu->ops->alloc(gpu, &host, COPY_BYTES, FV_GPU_HOST, error);
    for (int i = 0; i < 2 && !status; i++)
        status = gpu->ops->alloc(gpu, &local[i], COPY_BYTES, FV_GPU_LOCAL, error);
    if (!status)
        memset(host.host, 1, COPY_BYTES);
    if (!status)
        status = time_copy(gpu, FV_GPU_COPY, &local[0], &host, &upload_rate, error);
    if (!status)
        status = time_copy(gpu, FV_GPU_COPY, &host, &local[0], &download_rate, error);
    if (!status)
        status = time_copy(gpu, FV_GPU_COMPUTE, &local[1], &local[0], &local_rate, error);
    local_rate *= 2;
    if (!status)
        printf("%s: %s, %s\nplain copies: %.1f GB/s to the device, %.1f GB/s from it, %.0f GB/s inside (read plus "
               "written)\n\n",
               name, gpu->info.title, gpu->info.driver, upload_rate * 1e-9, download_rate * 1e-9, local_rate * 1e-9);
    gpu->ops->free(gpu, &host);
    gpu->ops->free(gpu, &local[0]);
    gpu->ops->free(gpu, &local[1]);
    device->ops->close(&device);
    return status;
}

/* ---- A metric ----------------------------------------------------------------------------------------------- */

typedef enum Origin { RESIDENT, PINNED, PAGEABLE, ORIGINS } Origin;
static const char *const origin_names[ORIGINS] = {"resident", "pinned", "pageable"};

typedef struct Clip {
    FvFrame *ref[MAX_PAIRS], *dis[MAX_PAIRS];
    int pairs;
    double pair_bytes;
} Clip;

static void fill_pinned(FvFrame *to, const FvFrame *from)
{
    for (int plane = 0; plane < fv_format_planes(&from->format); plane++) {
        int width, height;
        fv_format_plane_size(&from->format, plane, &width, &height);
        memcpy(to->data[plane], from->data[plane], (size_t)from->stride[plane] * (size_t)height);
    }
}

/* A frame with the samples of `from` in another kind of memory. */
static FvStatus make_frame(FvSession *session, FvFrame **frame, const FvFrame *from, Origin origin, FvError *error)
{
    if (origin == PAGEABLE)
        return fv_frame_copy(frame, &from->format, (const void *const *)from->data, from->stride, error);
    FvFrame *pinned = NULL;
    FvStatus status = fv_session_frame(session, &pinned, &from->format, FV_MEMORY_PINNED, error);
    if (status)
        return status;
    fill_pinned(pinned, from);
    if (origin == PINNED) {
        *frame = pinned;
        return FV_OK;
    }
    FvGpu *gpu = fv_gpu_of_device(session->devices[0]);
    status = fv_session_frame(session, frame, &from->format, FV_MEMORY_DEVICE, error);
    if (!status)
        status = gpu->ops->begin(gpu, FV_GPU_COPY, error);
    if (!status) {
        uint64_t ticket;
        gpu->ops->copy(gpu, FV_GPU_COPY, fv_frame_place(*frame)->memory, 0, fv_frame_place(pinned)->memory, 0,
                       fv_format_plane_bytes(&from->format));
        status = gpu->ops->submit(gpu, FV_GPU_COPY, &ticket, error);
        if (!status)
            status = gpu->ops->wait(gpu, FV_GPU_COPY, ticket, error);
    }
    fv_frame_unref(&pinned);
    return status;
}

static FvStatus make_clip(FvSession *session, Clip *clip, FvFrame *const ref[2], FvFrame *const dis[2], Origin origin,
                          FvError *error)
{
    clip->pair_bytes = 2. * (double)fv_format_plane_bytes(&ref[0]->format);
    int pairs = (int)(CLIP_BYTES / clip->pair_bytes) + 1;
    /* More than the device keeps, so that every push is an upload. */
    if (pairs < 2 * session->in_flight + 4)
        pairs = 2 * session->in_flight + 4;
    if (pairs > MAX_PAIRS)
        pairs = MAX_PAIRS;
    FvStatus status = FV_OK;
    for (; clip->pairs < pairs && !status; clip->pairs++) {
        status = make_frame(session, &clip->ref[clip->pairs], ref[clip->pairs % 2], origin, error);
        if (!status)
            status = make_frame(session, &clip->dis[clip->pairs], dis[clip->pairs % 2], origin, error);
    }
    return status;
}

static void free_clip(Clip *clip)
{
    for (int i = 0; i < clip->pairs; i++) {
        fv_frame_unref(&clip->ref[i]);
        fv_frame_unref(&clip->dis[i]);
    }
}

/* Pushes until `seconds` are over and waits for the rest; the rate counts from the first push to the last score. */
static FvStatus push_for(FvSession *session, const Clip *clip, double seconds, int64_t *number, double *rate,
                         FvError *error)
{
    double start = now();
    int64_t first = *number;
    FvStatus status = FV_OK;
    while (!status && (now() - start < seconds || *number - first < 2 * clip->pairs)) {
        int i = (int)(*number % clip->pairs);
        status = fv_session_push(session, (*number)++, clip->ref[i], clip->dis[i], error);
    }
    if (!status)
        status = fv_session_finish(session, error);
    *rate = (double)(*number - first) / (now() - start);
    return status;
}

/* One run with its own session; the kernels' times are added to `profiled` when it is not NULL. */
static FvStatus run_once(const char *device, const char *metric, FvFrame *const ref[2], FvFrame *const dis[2],
                         Origin origin, bool profile, double *rate, double *pair_bytes, FvError *error)
{
    FvSession *session = NULL;
    Clip clip = {0};
    int64_t number = 0;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1}, error);
    if (!status)
        status = fv_session_add(session, metric, error);
    if (!status)
        status = fv_session_start(session, &ref[0]->format, &dis[0]->format, error);
    if (!status && session->devices[1]) {
        printf("%-12s %s\n", metric, session->decision_count ? session->decisions[0] : "is computed on the CPU");
        status = FV_END;
    }
    if (!status)
        status = make_clip(session, &clip, ref, dis, origin, error);
    if (!status) {
        FvGpu *gpu = fv_gpu_of_device(session->devices[0]);
        gpu->profile = profile;
        status = push_for(session, &clip, SECONDS, &number, rate, error);
        for (int i = 0; i < gpu->time_count && profile; i++)
            printf("%-12s   %-22s %8.1f us a pair\n", "", gpu->times[i].name,
                   1e6 * gpu->times[i].seconds / (double)number);
    }
    *pair_bytes = clip.pair_bytes;
    free_clip(&clip);
    fv_session_close(&session);
    return status;
}

FvStatus bench_gpu_metric(const char *device, const char *metric, FvFrame *const ref[2], FvFrame *const dis[2],
                          FvError *error)
{
    char text[96];
    FvStatus status = FV_OK;
    for (int origin = 0; origin < ORIGINS && !status; origin++) {
        double best = 0, rate, bytes = 0;
        for (int round = 0; round < ROUNDS && !status; round++) {
            status = run_once(device, metric, ref, dis, (Origin)origin, false, &rate, &bytes, error);
            best = rate > best ? rate : best;
        }
        if (status)
            break;
        double limit = origin == RESIDENT ? local_rate : upload_rate;
        printf("%-12s %-22s %-9s %9.1f frames/s %8.2f GB/s  %5.1f %% of a plain copy\n", metric,
               fv_format_describe(&ref[0]->format, text, sizeof text), origin_names[origin], best,
               best * bytes * 1e-9, limit > 0 ? 100 * best * bytes / limit : 0);
        fflush(stdout);
    }
    double rate, bytes;
    if (!status)
        status = run_once(device, metric, ref, dis, RESIDENT, true, &rate, &bytes, error);
    return status == FV_END ? FV_OK : status;
}

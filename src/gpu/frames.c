#include "gpu/frames.h"

#include "gpu/prores.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "frame.h"
#include "mem.h"

/* Uploads are submitted when this many bytes wait, so that the copy engine starts early but not for trifles. */
#define SUBMIT_BYTES ((size_t)8 << 20)

typedef struct Resident {
    FvFrame *frame; /* a reference, so that the pointer stays this frame's; NULL: free */
    int holds;
    uint64_t used; /* when it was last asked for */
    FvGpuMemory memory, staging;
} Resident;

/* A foreign frame that is waited for before the next launch. */
#define FOREIGN 64
typedef struct Foreign {
    void *sync;
    uint64_t value;
} Foreign;

struct FvGpuFrames {
    FvGpu *gpu;
    FvFormat format;
    int planes;
    size_t bytes;
    Resident *residents;
    int count, most;
    uint64_t clock;
    bool recording; /* the copy queue has a list open */
    size_t pending;
    uint64_t ticket, sent;
    FvError failure;     /* why frames that were held are not there; status FV_OK: they are */
    FvGpuProres *prores; /* decodes frames that come as packets; NULL before the first one */
    Foreign foreign[FOREIGN];
    int foreign_count;
};

static FvFormat stored_format(const FvFormat *format, bool luma_only)
{
    FvFormat stored = *format;
    if (luma_only)
        stored.chroma = FV_CHROMA_400;
    return stored;
}

size_t fv_gpu_frames_bytes(const FvFormat *format, bool luma_only)
{
    FvFormat stored = stored_format(format, luma_only);
    return fv_format_plane_bytes(&stored);
}

FvStatus fv_gpu_frames_open(FvGpuFrames **frames, FvGpu *gpu, const FvFormat *format, bool luma_only, int most,
                            FvError *error)
{
    FvGpuFrames *f = *frames = calloc(1, sizeof *f);
    if (!f)
        return fv_fail_memory(error, sizeof *f);
    f->gpu = gpu;
    f->format = stored_format(format, luma_only);
    f->planes = fv_format_planes(&f->format);
    f->bytes = fv_format_plane_bytes(&f->format);
    f->most = most;
    f->residents = calloc((size_t)most, sizeof *f->residents);
    return f->residents ? FV_OK : fv_fail_memory(error, (size_t)most * sizeof *f->residents);
}

void fv_gpu_frames_close(FvGpuFrames **frames)
{
    FvGpuFrames *f = *frames;
    *frames = NULL;
    if (!f)
        return;
    fv_gpu_settle(f->gpu, FV_GPU_COPY, f->recording, f->ticket);
    for (int i = 0; f->residents && i < f->count; i++) {
        fv_frame_unref(&f->residents[i].frame);
        f->gpu->ops->free(f->gpu, &f->residents[i].memory);
        f->gpu->ops->free(f->gpu, &f->residents[i].staging);
    }
    fv_gpu_prores_close(&f->prores);
    free(f->residents);
    free(f);
}

static Resident *find(FvGpuFrames *f, const FvFrame *frame)
{
    for (int i = 0; i < f->count; i++)
        if (f->residents[i].frame == frame)
            return &f->residents[i];
    return NULL;
}

/* Room for one more frame: new, or that of the frame which was used longest ago of those that nobody holds. */
static FvStatus find_room(FvGpuFrames *f, Resident **room, FvError *error)
{
    if (f->count < f->most) {
        Resident *fresh = &f->residents[f->count];
        FvError reason;
        FvStatus status = f->gpu->ops->alloc(f->gpu, &fresh->memory, f->bytes, FV_GPU_LOCAL, &reason);
        if (!status) {
            f->count++;
            *room = fresh;
            return FV_OK;
        }
        if (f->count == 0)
            return fv_fail(error, status, "%s", reason.message);
        f->most = f->count;
    }
    Resident *oldest = NULL;
    for (int i = 0; i < f->count; i++)
        if (!f->residents[i].holds && (!oldest || f->residents[i].used < oldest->used))
            oldest = &f->residents[i];
    if (!oldest)
        return FV_END;
    fv_frame_unref(&oldest->frame);
    *room = oldest;
    return FV_OK;
}

static void copy_planes(const FvGpuFrames *f, const FvFrame *frame, uint8_t *to)
{
    for (int plane = 0; plane < f->planes; plane++) {
        int width, height;
        fv_format_plane_size(&f->format, plane, &width, &height);
        ptrdiff_t stride = fv_format_stride(&f->format, plane);
        size_t row = (size_t)width * fv_format_sample_bytes(&f->format);
        if (frame->stride[plane] == stride)
            memcpy(to, frame->data[plane], (size_t)stride * (height - 1) + row);
        else
            for (int y = 0; y < height; y++)
                memcpy(to + y * stride, frame->data[plane] + y * frame->stride[plane], row);
        to += stride * height;
    }
}

static void locate(const FvGpuFrames *f, const Resident *resident, FvPlanes *planes)
{
    uint64_t next = resident->memory.address;
    for (int plane = 0; plane < f->planes; plane++) {
        int width, height;
        fv_format_plane_size(&f->format, plane, &width, &height);
        ptrdiff_t stride = fv_format_stride(&f->format, plane);
        planes->data[plane] = next;
        planes->stride[plane] = (uint32_t)stride;
        next += (uint64_t)stride * (uint64_t)height;
    }
}

static FvStatus begin_copies(FvGpuFrames *f, FvError *error)
{
    FvStatus status = f->recording ? FV_OK : f->gpu->ops->begin(f->gpu, FV_GPU_COPY, error);
    f->recording = f->recording || !status;
    return status;
}

/* What was copied for frames that are already held is lost when this fails, so it fails ever after. */
static FvStatus submit_copies(FvGpuFrames *f, FvError *error)
{
    if (!f->failure.status && f->recording)
        f->gpu->ops->submit(f->gpu, FV_GPU_COPY, &f->ticket, &f->failure);
    f->pending = 0;
    f->recording = false;
    return f->failure.status ? fv_fail(error, f->failure.status, "%s", f->failure.message) : FV_OK;
}

static FvStatus end_copy(FvGpuFrames *f, size_t bytes, FvError *error)
{
    f->sent += bytes;
    f->pending += bytes;
    return f->pending < SUBMIT_BYTES ? FV_OK : submit_copies(f, error);
}

static FvStatus upload(FvGpuFrames *f, Resident *resident, FvFrame *frame, FvError *error)
{
    const FvGpuOps *ops = f->gpu->ops;
    const FvFramePlace *place = fv_frame_place(frame);
    const FvGpuMemory *from = place && place->owner == f->gpu ? place->memory : NULL;
    FvStatus status = FV_OK;
    if (!from) {
        if (!resident->staging.host)
            status = ops->alloc(f->gpu, &resident->staging, f->bytes, FV_GPU_HOST, error);
        if (status)
            return status;
        copy_planes(f, frame, resident->staging.host);
        from = &resident->staging;
    }
    status = begin_copies(f, error);
    if (status)
        return status;
    ops->copy(f->gpu, FV_GPU_COPY, &resident->memory, 0, from, 0, f->bytes);
    return end_copy(f, f->bytes, error);
}

/* A frame that is still a packet: it is sent as it is and decoded at the head of the next compute list. */
static FvStatus send_packet(FvGpuFrames *f, Resident *resident, const FvProresPacket *packet, FvError *error)
{
    FvPlanes planes = {0};
    FvStatus status = f->prores ? FV_OK : fv_gpu_prores_open(&f->prores, f->gpu, f->most, error);
    if (!status)
        status = begin_copies(f, error);
    if (status)
        return status;
    locate(f, resident, &planes);
    status = fv_gpu_prores_send(f->prores, (int)(resident - f->residents), &packet->header, packet->bytes,
                                packet->size, NULL, 0, &planes, error);
    return status ? status : end_copy(f, packet->size, error);
}

static FvProresPacket *packet_of(const FvFrame *frame)
{
    const FvFramePlace *place = fv_frame_place(frame);
    return place ? place->packet : NULL;
}

/* A frame that is on this device already is used where it is. */
static bool is_local(const FvGpuFrames *f, const FvFrame *frame)
{
    const FvFramePlace *place = fv_frame_place(frame);
    return place && place->owner == f->gpu && !frame->data[0];
}

static FvStatus use_in_place(FvGpuFrames *f, FvFrame *frame, FvPlanes *planes, FvError *error)
{
    const FvFramePlace *place = fv_frame_place(frame);
    for (int plane = 0; plane < f->planes; plane++) {
        planes->data[plane] = place->address[plane];
        planes->stride[plane] = (uint32_t)frame->stride[plane];
    }
    if (!place->sync)
        return FV_OK;
    for (int i = 0; i < f->foreign_count; i++)
        if (f->foreign[i].sync == place->sync) {
            if (f->foreign[i].value < place->sync_value)
                f->foreign[i].value = place->sync_value;
            return FV_OK;
        }
    if (f->foreign_count == FOREIGN)
        return fv_fail(error, FV_ERROR_USAGE,
                       "more than %d different semaphores or events are waited for at once: share one among frames",
                       FOREIGN);
    f->foreign[f->foreign_count++] = (Foreign){place->sync, place->sync_value};
    return FV_OK;
}

FvStatus fv_gpu_frames_hold(FvGpuFrames *f, FvFrame *frame, FvPlanes *planes, FvError *error)
{
    *planes = (FvPlanes){0};
    if (is_local(f, frame))
        return use_in_place(f, frame, planes, error);
    FvProresPacket *packet = packet_of(frame);
    if (!frame->data[0] && !packet)
        return fv_fail(error, FV_ERROR_USAGE, "the frame lies in the memory of another device than the session's");
    Resident *resident = find(f, frame);
    if (!resident) {
        FvStatus status = find_room(f, &resident, error);
        if (!status)
            status = packet ? send_packet(f, resident, packet, error) : upload(f, resident, frame, error);
        if (status)
            return status;
        resident->frame = fv_frame_ref(frame);
    }
    resident->holds++;
    resident->used = ++f->clock;
    locate(f, resident, planes);
    return FV_OK;
}

void fv_gpu_frames_release(FvGpuFrames *f, const FvFrame *frame)
{
    Resident *resident = is_local(f, frame) ? NULL : find(f, frame);
    FvProresPacket *packet = packet_of(frame);
    if (!resident)
        return;
    resident->holds--;
    for (int i = 0; packet && i < 2; i++)
        packet->damaged[i] = fv_gpu_prores_damaged(f->prores, (int)(resident - f->residents), i);
}

FvStatus fv_gpu_frames_flush(FvGpuFrames *f, FvError *error)
{
    const FvGpuOps *ops = f->gpu->ops;
    FvStatus status = submit_copies(f, error);
    if (status)
        return status;
    ops->after(f->gpu, FV_GPU_COMPUTE, FV_GPU_COPY, f->ticket);
    for (int i = 0; i < f->foreign_count; i++)
        ops->after_foreign(f->gpu, FV_GPU_COMPUTE, f->foreign[i].sync, f->foreign[i].value);
    f->foreign_count = 0;
    if (f->prores)
        fv_gpu_prores_record(f->prores);
    return FV_OK;
}

uint64_t fv_gpu_frames_sent(const FvGpuFrames *f)
{
    return f->sent;
}

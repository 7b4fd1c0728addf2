#include "gpu/frames.h"

#include "gpu/decode/prores.h"
#include "gpu/feed.h"
#include "gpu/planes.h"
#include "gpu/prepare.h"
#include "kernel/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "os/memory.h"
#include "os/processors.h"
#include "os/workers.h"
#include "picture/frame.h"

/*
 * Maximum number of threads that copy a frame from the caller's memory to pinned memory, and the bytes of one part.
 */
#define COPIERS 16
#define COPIED_BYTES ((size_t)1 << 18)

/* Pending bytes at which uploads are submitted: the copy engine starts early, but not for very small uploads. */
#define SUBMIT_BYTES ((size_t)8 << 20)

extern const FvKernel fv_kernel_rows;

typedef struct Resident {
    FvFrame *frame; /* a reference, so that no other frame gets this address; NULL: the place is free */
    int holds;
    /* Kernels cannot read the frame's planes where they are on the device, so the next compute list copies them. */
    bool copied;
    uint64_t used; /* value of `clock` at the last use */
    FvGpuMemory memory, staging;
} Resident;

/* A semaphore or event of a caller's frames, for which the next launch waits until it reaches `value`. */
#define FOREIGN 64 /* maximum number of these at once */
typedef struct Foreign {
    void *sync;
    uint64_t value;
} Foreign;

/* A frame whose host memory can be released when the copy queue has reached a ticket. */
#define SPENT 64 /* maximum number of these at once */
typedef struct Spent {
    FvFrame *frame;
    size_t bytes;
    bool open; /* the upload may be in the list that is being recorded, so `ticket` is not known yet */
    uint64_t ticket;
} Spent;

/*
 * Limits of uploads in flight whose frames keep their host memory: high enough that the copy engine never waits, low
 * enough that short clips allocate little memory.
 */
#define SPENT_FRAMES 4
#define SPENT_BYTES ((size_t)16 << 20)

struct FvGpuFrames {
    FvGpu *gpu;
    FvFormat format;
    int planes;
    size_t bytes;
    Resident *residents;
    int count, most;
    uint64_t clock;
    bool recording; /* the copy queue has an open list */
    size_t pending;
    uint64_t ticket, sent;
    FvError failure;     /* why held frames are missing on the device; status FV_OK: none is missing */
    FvGpuProres *prores; /* decodes frames that arrive as packets; NULL before the first one */
    FvGpuPrepare *scale; /* prepares frames that arrive unprepared; NULL before the first one */
    Foreign foreign[FOREIGN];
    int foreign_count;
    Spent spent[SPENT]; /* ring buffer of frames whose uploads have not ended */
    int first_spent, spent_count;
    size_t spent_bytes;
    FvWorkers *copiers;             /* threads that copy, if `copies`; NULL: only the caller's thread copies */
    bool copies;                    /* a frame has arrived that several threads should copy */
    double waited;                  /* seconds spent waiting for uploads */
    uint64_t fed[2][FV_FEED_LANES]; /* tickets in each side's feed for which the next launch waits; 0: none */
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
    for (; f->spent_count; f->spent_count--, f->first_spent++)
        fv_frame_unref(&f->spent[f->first_spent % SPENT].frame);
    for (int i = 0; f->residents && i < f->count; i++) {
        fv_frame_unref(&f->residents[i].frame);
        f->gpu->ops->free(f->gpu, &f->residents[i].memory);
        f->gpu->ops->free(f->gpu, &f->residents[i].staging);
    }
    fv_gpu_prores_close(&f->prores);
    fv_gpu_prepare_close(&f->scale);
    if (f->copiers)
        fv_workers_close(&f->copiers);
    free(f->residents);
    free(f);
}

static Resident *find_resident(FvGpuFrames *f, const FvFrame *frame)
{
    for (int i = 0; i < f->count; i++)
        if (f->residents[i].frame == frame)
            return &f->residents[i];
    return NULL;
}

/* Allocates memory for one more frame, and for its unprepared form if there is one. */
static FvStatus add_room(FvGpuFrames *f, const FvUnprepared *unprepared, FvError *error)
{
    Resident *fresh = &f->residents[f->count];
    FvStatus status = f->gpu->ops->alloc(f->gpu, &fresh->memory, f->bytes, FV_GPU_LOCAL, error);
    if (!status && unprepared)
        status = fv_gpu_prepare_reserve(f->scale, f->count, unprepared->preparation, error);
    if (status)
        f->gpu->ops->free(f->gpu, &fresh->memory);
    f->count += !status;
    return status;
}

/*
 * Finds the least recently used frame that is not held. roomy: only among frames whose memory also fits this
 * unprepared frame. *any: whether there is any frame that is not held.
 */
static Resident *find_oldest(FvGpuFrames *f, const FvUnprepared *roomy, bool *any)
{
    Resident *oldest = NULL;
    *any = false;
    for (int i = 0; i < f->count; i++) {
        if (roomy && !fv_gpu_prepare_has_room(f->scale, i, roomy->preparation))
            continue;
        *any = true;
        if (!f->residents[i].holds && (!oldest || f->residents[i].used < oldest->used))
            oldest = &f->residents[i];
    }
    return oldest;
}

/* Finds memory for one more frame: new memory, or that of the least recently used frame that is not held. */
static FvStatus find_room(FvGpuFrames *f, const FvUnprepared *unprepared, Resident **room, FvError *error)
{
    FvError reason;
    bool any;
    if (f->count < f->most) {
        FvStatus status = add_room(f, unprepared, &reason);
        *room = &f->residents[f->count - !status];
        if (!status)
            return FV_OK;
        if (f->count == 0)
            return fv_fail(error, fv_failure_of(&reason), "%s", reason.message);
        f->most = f->count;
    }
    Resident *oldest = find_oldest(f, NULL, &any);
    if (oldest && unprepared &&
        fv_gpu_prepare_reserve(f->scale, (int)(oldest - f->residents), unprepared->preparation, &reason)) {
        oldest = find_oldest(f, unprepared, &any);
        if (!any)
            return fv_fail(error, fv_failure_of(&reason), "%s", reason.message);
    }
    if (!oldest)
        return FV_END;
    fv_frame_unref(&oldest->frame);
    *room = oldest;
    return FV_OK;
}

/* A frame that several threads copy to pinned memory. */
typedef struct Copying {
    const FvGpuFrames *frames;
    const FvFrame *frame;
    uint8_t *to;
    int parts;
} Copying;

/* Copies one part of the rows of each plane. */
static void copy_part(void *opaque, int part, int worker)
{
    const Copying *copying = opaque;
    const FvFormat *format = &copying->frames->format;
    const FvFrame *frame = copying->frame;
    uint8_t *to = copying->to;
    for (int plane = 0; plane < copying->frames->planes; plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        const int first = (int)((int64_t)height * part / copying->parts);
        const int end = (int)((int64_t)height * (part + 1) / copying->parts);
        const ptrdiff_t stride = fv_format_stride(format, plane), from = frame->stride[plane];
        const size_t row = (size_t)width * fv_format_sample_bytes(format);
        if (from == stride && end > first)
            memcpy(to + first * stride, frame->data[plane] + first * from, (size_t)stride * (end - first - 1) + row);
        for (int y = first; y < end && from != stride; y++)
            memcpy(to + y * stride, frame->data[plane] + y * from, row);
        to += stride * height;
    }
}

/* Copies planes with several threads, because one thread copies at a tenth of the bus speed. */
static void copy_planes(FvGpuFrames *f, const FvFrame *frame, uint8_t *to)
{
    const int spare = 3 * fv_processors() / 4, most = spare < COPIERS ? spare : COPIERS;
    const int parts = (int)(f->bytes / COPIED_BYTES);
    Copying copying = {f, frame, to, parts > 1 && most > 1 ? parts : 1};
    if (copying.parts > 1 && !f->copies)
        fv_workers_open(&f->copiers, most, NULL);
    f->copies |= copying.parts > 1;
    if (f->copiers)
        fv_workers_run(f->copiers, copying.parts, copy_part, &copying);
    else
        for (int part = 0; part < copying.parts; part++)
            copy_part(&copying, part, 0);
}

static void locate(const FvGpuFrames *f, const Resident *resident, FvPlanes *planes)
{
    fv_gpu_planes(&f->format, resident->memory.address, planes);
}

static FvStatus begin_copies(FvGpuFrames *f, FvError *error)
{
    FvStatus status = f->recording ? FV_OK : f->gpu->ops->begin(f->gpu, FV_GPU_COPY, error);
    f->recording = f->recording || !status;
    return status;
}

/*
 * Submits the uploads. If that fails, uploads of frames that are already held are lost, so every later call fails as
 * well.
 */
FvStatus fv_gpu_frames_submit(FvGpuFrames *f, FvError *error)
{
    FvError later;
    if (f->recording)
        f->gpu->ops->submit(f->gpu, FV_GPU_COPY, &f->ticket, f->failure.status ? &later : &f->failure);
    for (int i = 0; i < f->spent_count; i++) {
        Spent *spent = &f->spent[(f->first_spent + i) % SPENT];
        spent->ticket = spent->open ? f->ticket : spent->ticket;
        spent->open = false;
    }
    f->pending = 0;
    f->recording = false;
    return f->failure.status ? fv_fail(error, fv_failure_of(&f->failure), "%s", f->failure.message) : FV_OK;
}

static FvStatus end_copy(FvGpuFrames *f, size_t bytes, FvError *error)
{
    f->sent += bytes;
    f->pending += bytes;
    return f->pending < SUBMIT_BYTES ? FV_OK : fv_gpu_frames_submit(f, error);
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

/* Sends a frame that is still a packet; the next compute list starts with decoding it. */
static FvStatus send_packet(FvGpuFrames *f, Resident *resident, const FvProresPacket *packet, FvError *error)
{
    FvPlanes planes = {0};
    FvStatus status = f->prores ? FV_OK : fv_gpu_prores_open(&f->prores, f->gpu, f->most, error);
    if (!status)
        status = begin_copies(f, error);
    if (status)
        return status;
    locate(f, resident, &planes);
    status = fv_gpu_prores_send(f->prores, (int)(resident - f->residents), &packet->header, packet->memory.bytes,
                                packet->size, packet->memory.owner == f->gpu ? packet->memory.memory : NULL, 0,
                                &planes, error);
    if (!status && packet->signs)
        fv_gpu_prores_sign(f->prores, (int)(resident - f->residents), &packet->header.format, &planes);
    return status ? status : end_copy(f, packet->size, error);
}

/* Sends a frame that is not prepared yet; the next compute list starts with preparing it. */
static FvStatus send_unprepared(FvGpuFrames *f, Resident *resident, const FvUnprepared *unprepared, FvError *error)
{
    FvPlanes planes = {0};
    size_t bytes = 0;
    FvStatus status = begin_copies(f, error);
    if (status)
        return status;
    locate(f, resident, &planes);
    status =
        fv_gpu_prepare_send(f->scale, (int)(resident - f->residents), unprepared, f->planes, &planes, &bytes, error);
    return status ? status : end_copy(f, bytes, error);
}

static const FvUnprepared *unprepared_of(const FvFrame *frame)
{
    const FvFramePlace *place = fv_frame_place(frame);
    return place ? place->unprepared : NULL;
}

/* Returns whether a frame is already in this device's memory; then it is not uploaded. */
static bool is_local(const FvGpuFrames *f, const FvFrame *frame)
{
    const FvFramePlace *place = fv_frame_place(frame);
    return place && place->owner == f->gpu && !frame->data[0];
}

/* Returns whether kernels can read the rows of a local frame at their addresses; else the rows are copied. */
static bool is_readable(const FvGpuFrames *f, const FvFrame *frame)
{
    const FvFramePlace *place = fv_frame_place(frame);
    for (int plane = 0; plane < f->planes; plane++)
        if (place->address[plane] % 16 || frame->stride[plane] % 16)
            return false;
    return true;
}

static void wait_for_feed(FvGpuFrames *f, const FvGpuFed *fed)
{
    for (int lane = 0; lane < FV_FEED_LANES; lane++)
        if (f->fed[fed->side][lane] < fed->ticket[lane])
            f->fed[fed->side][lane] = fed->ticket[lane];
}

static FvStatus await_foreign(FvGpuFrames *f, const FvFrame *frame, FvError *error)
{
    const FvFramePlace *place = fv_frame_place(frame);
    if (place->fed)
        wait_for_feed(f, place->fed);
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

static FvStatus use_in_place(FvGpuFrames *f, const FvFrame *frame, FvPlanes *planes, FvError *error)
{
    const FvFramePlace *place = fv_frame_place(frame);
    for (int plane = 0; plane < f->planes; plane++) {
        planes->data[plane] = place->address[plane];
        planes->stride[plane] = (uint32_t)frame->stride[plane];
    }
    return await_foreign(f, frame, error);
}

/* Records copies of a frame's rows on the open compute list. */
static void copy_rows(const FvGpuFrames *f, const Resident *resident)
{
    const FvFramePlace *place = fv_frame_place(resident->frame);
    const uint32_t most_groups = 4096;
    FvPlanes planes = {0};
    locate(f, resident, &planes);
    for (int plane = 0; plane < f->planes; plane++) {
        int width, height;
        fv_format_plane_size(&f->format, plane, &width, &height);
        const uint32_t bytes = (uint32_t)(width * fv_format_sample_bytes(&f->format));
        const uint64_t wanted =
            ((uint64_t)(bytes + 3) / 4 * (uint64_t)height + FV_ROWS_THREADS - 1) / FV_ROWS_THREADS;
        const uint32_t groups = wanted < most_groups ? (uint32_t)wanted : most_groups;
        const FvRowsArgs args = {.from = place->address[plane] / 4 * 4,
                                 .to = planes.data[plane],
                                 .skew = (uint32_t)(place->address[plane] % 4),
                                 .from_stride = (uint32_t)resident->frame->stride[plane],
                                 .to_stride = planes.stride[plane],
                                 .bytes = bytes,
                                 .height = (uint32_t)height,
                                 .stride = groups * FV_ROWS_THREADS};
        f->gpu->ops->launch(f->gpu, FV_GPU_COMPUTE, &fv_kernel_rows, &args, groups, 1, 1);
    }
}

FvStatus fv_gpu_frames_acquire(FvGpuFrames *f, FvFrame *frame, FvPlanes *planes, FvError *error)
{
    *planes = (FvPlanes){0};
    bool local = is_local(f, frame);
    if (local && is_readable(f, frame))
        return use_in_place(f, frame, planes, error);
    FvProresPacket *packet = fv_frame_packet(frame);
    const FvUnprepared *unprepared = unprepared_of(frame);
    if (!frame->data[0] && !packet && !unprepared && !local)
        return fv_fail(error, FV_ERROR_USAGE, "the frame lies in the memory of another device than the session's");
    Resident *resident = find_resident(f, frame);
    if (!resident) {
        FvStatus status = unprepared && !f->scale ? fv_gpu_prepare_open(&f->scale, f->gpu, f->most, error) : FV_OK;
        if (!status)
            status = find_room(f, unprepared, &resident, error);
        if (!status)
            status = local        ? await_foreign(f, frame, error)
                     : packet     ? send_packet(f, resident, packet, error)
                     : unprepared ? send_unprepared(f, resident, unprepared, error)
                                  : upload(f, resident, frame, error);
        if (status)
            return status;
        resident->frame = fv_frame_ref(frame);
        resident->copied = local;
    }
    resident->holds++;
    resident->used = ++f->clock;
    locate(f, resident, planes);
    return FV_OK;
}

void fv_gpu_frames_release(FvGpuFrames *f, const FvFrame *frame)
{
    Resident *resident = find_resident(f, frame);
    if (!resident)
        return;
    resident->holds--;
    if (!resident->holds && is_local(f, frame))
        fv_frame_unref(&resident->frame);
}

void fv_gpu_frames_decoded(FvGpuFrames *f, const FvFrame *frame)
{
    const Resident *resident = find_resident(f, frame);
    FvProresPacket *packet = fv_frame_packet(frame);
    if (!resident || !packet)
        return;
    const int slot = (int)(resident - f->residents);
    for (int i = 0; i < 2; i++)
        packet->damaged[i] = fv_gpu_prores_damaged(f->prores, slot, i);
    if (packet->signs)
        fv_sample_take(packet->signature, &packet->header.format, fv_gpu_prores_sums(f->prores, slot));
    packet->has_signature = packet->signs;
}

/*
 * Releases host memory of frames whose uploads have ended. After a failure, which the next batch reports, a frame
 * keeps its memory.
 */
static void end_spent(FvGpuFrames *f)
{
    Spent *oldest = &f->spent[f->first_spent % SPENT];
    FvError failure;
    const double started = fv_seconds();
    FvStatus status = oldest->open ? fv_gpu_frames_submit(f, &failure) : FV_OK;
    if (!status)
        status = f->gpu->ops->wait(f->gpu, FV_GPU_COPY, oldest->ticket, &failure);
    f->waited += fv_seconds() - started;
    FvProresPacket *packet = fv_frame_packet(oldest->frame);
    if (!status && packet)
        fv_prores_let_go(packet);
    else if (!status)
        fv_frame_let_go(oldest->frame);
    else if (!f->failure.status)
        f->failure = failure;
    fv_frame_unref(&oldest->frame);
    f->spent_bytes -= oldest->bytes;
    f->first_spent = (f->first_spent + 1) % SPENT;
    f->spent_count--;
}

void fv_gpu_frames_mark_last_use(FvGpuFrames *f, FvFrame *frame)
{
    const FvFramePlace *place = fv_frame_place(frame);
    const FvProresPacket *packet = fv_frame_packet(frame);
    const bool held = packet ? packet->memory.owner == f->gpu : place && place->owner == f->gpu && frame->data[0];
    if (!held || f->failure.status)
        return;
    if (f->spent_count == SPENT)
        end_spent(f);
    const size_t bytes = packet ? packet->size : f->bytes;
    f->spent[(f->first_spent + f->spent_count++) % SPENT] =
        (Spent){fv_frame_ref(frame), bytes, f->recording, f->ticket};
    f->spent_bytes += bytes;
    while (f->spent_count > SPENT_FRAMES && f->spent_bytes > SPENT_BYTES)
        end_spent(f);
}

FvStatus fv_gpu_frames_flush(FvGpuFrames *f, FvError *error)
{
    const FvGpuOps *ops = f->gpu->ops;
    FvStatus status = fv_gpu_frames_submit(f, error);
    if (status)
        return status;
    ops->after(f->gpu, FV_GPU_COMPUTE, FV_GPU_COPY, f->ticket);
    for (int i = 0; i < f->foreign_count; i++)
        ops->after_foreign(f->gpu, FV_GPU_COMPUTE, f->foreign[i].sync, f->foreign[i].value);
    f->foreign_count = 0;
    for (int side = 0; side < 2; side++)
        for (int lane = 0; lane < FV_FEED_LANES; lane++) {
            if (f->fed[side][lane])
                ops->after(f->gpu, FV_GPU_COMPUTE, fv_gpu_feed_queue(side, lane), f->fed[side][lane]);
            f->fed[side][lane] = 0;
        }
    for (int i = 0; i < f->count; i++) {
        if (f->residents[i].copied)
            copy_rows(f, &f->residents[i]);
        f->residents[i].copied = false;
    }
    if (f->prores)
        fv_gpu_prores_record(f->prores);
    if (f->scale)
        fv_gpu_prepare_record(f->scale);
    return FV_OK;
}

uint64_t fv_gpu_frames_sent(const FvGpuFrames *f)
{
    return f->sent;
}

double fv_gpu_frames_waited(const FvGpuFrames *f)
{
    return f->waited;
}

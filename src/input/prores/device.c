#include "input/prores/device.h"

#include <string.h>

#include "base/error.h"
#include "gpu/decode/prores.h"
#include "gpu/planes.h"
#include "input/prores/prores.h"
#include "os/memory.h"

#define MOST_FRAMES 8                  /* maximum number of frames decoded together: small ones then fill the GPU */
#define MOST_BYTES ((size_t)256 << 20) /* maximum bytes of samples of these frames; a single frame may be larger */

struct FvProresDevice {
    FvGpu *gpu;
    FvGpuProres *prores;
    /* samples of `room` frames of `bytes` each, whose planes have the strides of fv_format_stride() */
    FvGpuMemory local, host;
    size_t bytes;
    int room;
    FvFrame *packets[MOST_FRAMES]; /* frames that are packets; [next, count) are decoded and not delivered */
    int next, count;
    /* frame delivered after `packets` in place of a packet that cannot be decoded; or NULL */
    FvFrame *blank, *blank_alpha;
    FvStatus status; /* status returned after `packets`, if not FV_OK */
    FvError error;
};

FvStatus fv_prores_device_open(FvProresDevice **device, FvGpu *gpu, const FvSource *source, FvError *error)
{
    FvProresDevice *s = *device = fv_alloc_zero(sizeof *s);
    if (!s)
        return fv_fail_memory(error, sizeof *s);
    s->bytes = FV_ROUND_UP(fv_format_plane_bytes(&source->info.format), (size_t)256);
    size_t fit = MOST_BYTES / s->bytes;
    s->room = fit > MOST_FRAMES ? MOST_FRAMES : fit ? (int)fit : 1;
    s->gpu = gpu;
    FvStatus status = fv_gpu_prores_open(&s->prores, gpu, s->room, error);
    if (!status)
        status = s->gpu->ops->alloc(s->gpu, &s->local, s->bytes * (size_t)s->room, FV_GPU_LOCAL, error);
    if (!status)
        status = s->gpu->ops->alloc(s->gpu, &s->host, s->bytes * (size_t)s->room, FV_GPU_HOST, error);
    if (status)
        fv_prores_device_close(device);
    return status;
}

/* Reads the next packets. Their end or error is kept until they are delivered. */
static void read_packets(FvProresDevice *s, FvSource *source)
{
    const int64_t first = source->next;
    const FvSome whole = source->services.whole;
    s->next = s->count = 0;
    source->services.hands_packets = true;
    source->services.whole = (FvSome){0}; /* every frame is decoded here, and the host reads it */
    while (s->count < s->room && !s->status && !s->blank) {
        FvFrame *frame = NULL;
        s->status = source->ops->read(source, &frame, &s->error);
        source->next += !s->status;
        if (frame && fv_frame_place(frame)) {
            s->packets[s->count++] = frame;
        } else if (frame) {
            s->blank = frame;
            s->blank_alpha = source->alpha;
            source->alpha = NULL;
        }
    }
    source->services.hands_packets = false;
    source->services.whole = whole;
    source->next = first;
}

static FvStatus send_packet(FvProresDevice *s, int slot, FvError *error)
{
    const FvProresPacket *packet = fv_frame_place(s->packets[slot])->packet;
    const FvFormat *format = &packet->header.format;
    FvPlanes planes = {0};
    fv_gpu_planes(format, s->local.address + s->bytes * (size_t)slot, &planes);
    return fv_gpu_prores_send(s->prores, slot, &packet->header, packet->memory.bytes, packet->size, NULL, 0, &planes,
                              error);
}

/* Decodes the packets that were sent, and waits for the samples. */
static FvStatus decode_sent(FvProresDevice *s, uint64_t sent, FvError *error)
{
    const FvGpuOps *ops = s->gpu->ops;
    const size_t bytes = s->bytes * (size_t)s->count;
    uint64_t ticket = 0;
    FvStatus status = ops->begin(s->gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->after(s->gpu, FV_GPU_COMPUTE, FV_GPU_COPY, sent);
    ops->fill(s->gpu, FV_GPU_COMPUTE, &s->local, 0, bytes, 0); /* samples of a missing field stay 0 */
    ops->barrier(s->gpu, FV_GPU_COMPUTE);
    fv_gpu_prores_record(s->prores);
    ops->barrier(s->gpu, FV_GPU_COMPUTE);
    ops->copy(s->gpu, FV_GPU_COMPUTE, &s->host, 0, &s->local, 0, bytes);
    status = ops->submit(s->gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : ops->wait(s->gpu, FV_GPU_COMPUTE, ticket, error);
}

static FvStatus decode_packets(FvProresDevice *s, FvError *error)
{
    const FvGpuOps *ops = s->gpu->ops;
    uint64_t sent = 0;
    FvStatus status = ops->begin(s->gpu, FV_GPU_COPY, error);
    if (status)
        return status;
    for (int i = 0; i < s->count && !status; i++)
        status = send_packet(s, i, error);
    const bool open = status != FV_OK;
    if (!status)
        status = ops->submit(s->gpu, FV_GPU_COPY, &sent, error);
    if (!status)
        status = decode_sent(s, sent, error);
    if (status)
        fv_gpu_settle(s->gpu, FV_GPU_COPY, open, sent);
    return status;
}

static void copy_samples(FvFrame *frame, const uint8_t *from)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        const ptrdiff_t stride = fv_format_stride(&frame->format, plane);
        for (int y = 0; y < height; y++, from += stride)
            memcpy(frame->data[plane] + y * frame->stride[plane], from, 2 * (size_t)width);
    }
}

static FvStatus deliver(FvProresDevice *s, FvSource *source, FvFrame **frame, FvError *error)
{
    const int slot = s->next;
    const FvProresPacket *packet = fv_frame_place(s->packets[slot])->packet;
    const int damaged[2] = {fv_gpu_prores_damaged(s->prores, slot, 0), fv_gpu_prores_damaged(s->prores, slot, 1)};
    FvStatus status = fv_prores_input_accept(source->prores, source, packet, damaged, frame, error);
    if (!status && !*frame) {
        status = fv_frame_pool_get(source->pool, frame, error);
        if (!status)
            copy_samples(*frame, s->host.host + s->bytes * (size_t)slot);
    }
    fv_frame_unref(&s->packets[s->next++]);
    return status;
}

static FvStatus deliver_blank(FvProresDevice *s, FvSource *source, FvFrame **frame)
{
    fv_frame_unref(&source->alpha);
    *frame = s->blank;
    source->alpha = s->blank_alpha;
    source->damaged = source->parts = 1;
    s->blank = s->blank_alpha = NULL;
    return FV_OK;
}

FvStatus fv_prores_device_read(FvProresDevice *s, FvSource *source, FvFrame **frame, FvError *error)
{
    *frame = NULL;
    if (s->next == s->count && !s->blank && !s->status) {
        read_packets(s, source);
        FvStatus status = s->count ? decode_packets(s, error) : FV_OK;
        if (status)
            return status;
    }
    if (s->next < s->count)
        return deliver(s, source, frame, error);
    if (s->blank)
        return deliver_blank(s, source, frame);
    *error = s->error;
    return s->status;
}

void fv_prores_device_drop(FvProresDevice *s)
{
    for (int i = s->next; i < s->count; i++)
        fv_frame_unref(&s->packets[i]);
    fv_frame_unref(&s->blank);
    fv_frame_unref(&s->blank_alpha);
    s->next = s->count = 0;
    s->status = FV_OK;
}

void fv_prores_device_close(FvProresDevice **device)
{
    FvProresDevice *s = *device;
    *device = NULL;
    if (!s)
        return;
    fv_prores_device_drop(s);
    fv_gpu_prores_close(&s->prores);
    s->gpu->ops->free(s->gpu, &s->local);
    s->gpu->ops->free(s->gpu, &s->host);
    fv_free(s);
}

#include "gpu/decode/prores.h"

#include <stdlib.h>
#include <string.h>

#include "arith/prores.h"
#include "base/bytes.h"
#include "base/error.h"
#include "kernel/prores.h"
#include "os/memory.h"
#include "picture/signature.h"

extern const FvKernel fv_kernel_prores_entropy, fv_kernel_prores_transform, fv_kernel_prores_signature;

const FvKernel *const fv_gpu_prores_kernels[] = {&fv_kernel_prores_entropy, &fv_kernel_prores_transform,
                                                 &fv_kernel_prores_signature, NULL};

#define THREADS 64
/* Maximum bytes of coefficients of the pictures that one launch decodes. More pictures take several launches. */
#define CHUNK_BYTES ((size_t)1 << 30)
/* Maximum bytes of a packet, because bit positions have 32 bits. */
#define MOST_BYTES ((size_t)1 << 28)
/* Maximum number of growths; each one at least doubles the memory. */
#define OUTGROWN 32
#define QUANTISERS 128                         /* bytes of the quantisation matrices of luma and chroma */
#define SUMS (FV_SIGNATURE * sizeof(uint32_t)) /* bytes of a frame's signature; a multiple of 256 */
#define WORD(bytes) FV_ROUND_UP(bytes, (size_t)256)

typedef struct Slot {
    FvGpuMemory packet; /* device memory: quantisation matrices and offsets of the slices, followed by the packet */
    /* Host memory for the same data, without the packet if that is already in memory that the device reads. */
    FvGpuMemory staging;
} Slot;

/* A picture whose packet has been sent, but whose decoding has not been recorded yet. */
typedef struct Pending {
    FvProresGpuPicture picture;
    int number; /* index of its counter and descriptor: 2 * slot + the picture's index in the packet */
    int depth;
    bool chroma_444, luma_only;
    size_t coefficient_bytes, state_bytes;
} Pending;

struct FvGpuProres {
    FvGpu *gpu;
    Slot *slots;
    int slot_count;
    Pending *pending;
    int pending_count;
    FvGpuMemory pictures, host_pictures; /* descriptors: on the device for one recording, on the host for all slots */
    FvGpuMemory damaged, host_damaged;   /* counters of damaged slices: one for each picture of each slot */
    FvGpuMemory sums;                    /* sums for the signatures of all slots, on the host */
    FvGpuMemory work;                    /* coefficients and states of the pictures of one launch */
    FvGpuMemory outgrown[OUTGROWN];      /* previous blocks of `work`, which submitted lists may still use */
    int outgrown_count;
};

FvStatus fv_gpu_prores_open(FvGpuProres **prores, FvGpu *gpu, int slots, FvError *error)
{
    FvGpuProres *p = *prores = calloc(1, sizeof *p);
    if (!p)
        return fv_fail_memory(error, sizeof *p);
    p->gpu = gpu;
    p->slot_count = slots;
    p->slots = calloc((size_t)slots, sizeof *p->slots);
    p->pending = calloc(2 * (size_t)slots, sizeof *p->pending);
    const size_t pictures = 2 * (size_t)slots;
    FvStatus status = p->slots && p->pending ? FV_OK : fv_fail_memory(error, pictures * sizeof *p->pending);
    if (!status)
        status = gpu->ops->alloc(gpu, &p->pictures, pictures * sizeof(FvProresGpuPicture), FV_GPU_LOCAL, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &p->host_pictures, pictures * sizeof(FvProresGpuPicture), FV_GPU_HOST, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &p->damaged, pictures * sizeof(uint32_t), FV_GPU_LOCAL, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &p->host_damaged, pictures * sizeof(uint32_t), FV_GPU_HOST, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &p->sums, (size_t)slots * SUMS, FV_GPU_HOST, error);
    if (status)
        fv_gpu_prores_close(prores);
    return status;
}

void fv_gpu_prores_close(FvGpuProres **prores)
{
    FvGpuProres *p = *prores;
    *prores = NULL;
    if (!p)
        return;
    for (int i = 0; p->slots && i < p->slot_count; i++) {
        p->gpu->ops->free(p->gpu, &p->slots[i].packet);
        p->gpu->ops->free(p->gpu, &p->slots[i].staging);
    }
    FvGpuMemory *all[] = {&p->pictures, &p->host_pictures, &p->damaged, &p->host_damaged, &p->sums, &p->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        p->gpu->ops->free(p->gpu, all[i]);
    for (int i = 0; i < p->outgrown_count; i++)
        p->gpu->ops->free(p->gpu, &p->outgrown[i]);
    free(p->slots);
    free(p->pending);
    free(p);
}

/* Makes a memory block at least this large. Nothing in flight may use the block. */
static FvStatus reserve(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error)
{
    if (memory->bytes >= bytes)
        return FV_OK;
    gpu->ops->free(gpu, memory);
    return gpu->ops->alloc(gpu, memory, bytes + bytes / 8, place, error);
}

/* Writes the offset of each slice, and the end of the last one. */
static void write_offsets(uint32_t *offsets, const FvProresPicture *picture, const uint8_t *packet)
{
    uint32_t offset = picture->data;
    *offsets++ = offset;
    for (int i = 0; i < picture->slices; i++)
        *offsets++ = offset += (uint32_t)fv_be16(packet + picture->table + 2 * (size_t)i);
}

static Pending describe_picture(const FvProresHeader *header, const FvProresPicture *picture, const FvPlanes *planes,
                                size_t size)
{
    bool wide = header->format.chroma == FV_CHROMA_444;
    int step = header->interlaced ? 2 : 1;
    Pending pending = {
        .picture = {.bytes = (uint32_t)size,
                    .columns = header->columns,
                    .log2_slice = picture->log2_slice,
                    .slices_per_row = picture->slices_per_row,
                    .slices = picture->slices,
                    .rows = (header->format.height - picture->field + step - 1) / step,
                    .interlaced = header->interlaced,
                    .width = FV_SIGNATURE_COLUMNS,
                    .height = FV_SIGNATURE_ROWS},
        .depth = header->format.depth,
        .chroma_444 = wide,
        .luma_only = !planes->data[1],
        .coefficient_bytes = (size_t)picture->slices * (wide ? 12 : 8) * 64 * 2 << picture->log2_slice,
        .state_bytes = WORD((size_t)picture->slices * 3 * sizeof(uint32_t)),
    };
    for (int plane = 0; plane < 3; plane++) {
        pending.picture.stride[plane] = planes->stride[plane] * (uint32_t)step;
        if (planes->data[plane])
            pending.picture.data[plane] =
                planes->data[plane] + (uint64_t)planes->stride[plane] * (uint32_t)picture->field;
    }
    return pending;
}

/* Returns how many pending pictures from `first` on one launch decodes; *bytes receives the memory that they need. */
static int choose_chunk(const FvGpuProres *p, int first, size_t *bytes)
{
    int count = 0;
    *bytes = 0;
    for (int i = first; i < p->pending_count; i++, count++) {
        const Pending *a = &p->pending[first], *b = &p->pending[i];
        size_t more = b->coefficient_bytes + b->state_bytes;
        if (a->depth != b->depth || a->chroma_444 != b->chroma_444 || a->luma_only != b->luma_only ||
            (count && *bytes + more > CHUNK_BYTES))
            break;
        *bytes += more;
    }
    return count;
}

/* Reserves work memory for all pending pictures before a list that uses it is recorded. */
static FvStatus reserve_work(FvGpuProres *p, FvError *error)
{
    size_t most = 0, bytes;
    for (int first = 0, count; first < p->pending_count; first += count) {
        count = choose_chunk(p, first, &bytes);
        most = bytes > most ? bytes : most;
    }
    if (most <= p->work.bytes)
        return FV_OK;
    if (most < 2 * p->work.bytes)
        most = 2 * p->work.bytes;
    FvGpuMemory grown;
    FvStatus status = p->gpu->ops->alloc(p->gpu, &grown, most, FV_GPU_LOCAL, error);
    if (status)
        return status;
    if (p->work.bytes)
        p->outgrown[p->outgrown_count++] = p->work;
    p->work = grown;
    return FV_OK;
}

FvStatus fv_gpu_prores_send(FvGpuProres *p, int slot, const FvProresHeader *header, const uint8_t *packet,
                            size_t size, const FvGpuMemory *memory, size_t offset, const FvPlanes *planes,
                            FvError *error)
{
    const FvGpuOps *ops = p->gpu->ops;
    Slot *s = &p->slots[slot];
    if (size > MOST_BYTES)
        return fv_fail(error, FV_ERROR_INPUT, "ProRes: a packet of %zu bytes is too long for a GPU", size);
    const size_t whole = FV_ROUND_UP(size + FV_PRORES_PADDING, (size_t)4);
    size_t tables = QUANTISERS;
    for (int i = 0; i < header->pictures; i++)
        tables += ((size_t)header->picture[i].slices + 1) * sizeof(uint32_t);
    tables = WORD(tables);
    FvStatus status = reserve(p->gpu, &s->packet, tables + whole, FV_GPU_LOCAL, error);
    if (!status)
        status = reserve(p->gpu, &s->staging, memory ? tables : tables + whole, FV_GPU_HOST, error);
    if (status)
        return status;

    const int pending_before = p->pending_count;
    memcpy(s->staging.host, header->quantiser, QUANTISERS);
    size_t at = QUANTISERS;
    for (int i = 0; i < header->pictures; i++) {
        const FvProresPicture *picture = &header->picture[i];
        Pending *pending = &p->pending[p->pending_count++];
        *pending = describe_picture(header, picture, planes, size);
        pending->number = 2 * slot + i;
        pending->picture.packet = s->packet.address + tables;
        pending->picture.quantisers = s->packet.address;
        pending->picture.offsets = s->packet.address + at;
        pending->picture.damaged = p->damaged.address + sizeof(uint32_t) * (size_t)pending->number;
        write_offsets((uint32_t *)(s->staging.host + at), picture, packet);
        at += ((size_t)picture->slices + 1) * sizeof(uint32_t);
    }
    status = reserve_work(p, error);
    if (status) {
        p->pending_count = pending_before;
        return status;
    }
    /* A packet with one picture leaves the second counter unused; it must not keep an earlier packet's count. */
    ((uint32_t *)p->host_damaged.host)[2 * slot + 1] = 0;
    uint8_t *host = memory ? memory->host + offset : s->staging.host + tables;
    if (!memory)
        memcpy(host, packet, size);
    memset(host + size, 0, whole - size);
    if (memory)
        ops->copy(p->gpu, FV_GPU_COPY, &s->packet, tables, memory, offset, whole);
    ops->copy(p->gpu, FV_GPU_COPY, &s->packet, 0, &s->staging, 0, memory ? tables : tables + whole);
    return FV_OK;
}

void fv_gpu_prores_sign(FvGpuProres *p, int slot, const FvFormat *format, const FvPlanes *planes)
{
    FvProresGpuPicture *last = &p->pending[p->pending_count - 1].picture;
    last->luma = planes->data[0];
    last->sums = p->sums.address + SUMS * (size_t)slot;
    last->luma_stride = planes->stride[0];
    last->width = format->width;
    last->height = format->height;
    last->has_signature = 1;
}

static void launch_chunk(FvGpuProres *p, int first, int count)
{
    const FvGpuOps *ops = p->gpu->ops;
    size_t coefficients = 0, at = 0;
    int slices = 0, lanes = 0, has_signature = 0;
    for (int i = first; i < first + count; i++)
        coefficients += p->pending[i].coefficient_bytes;
    size_t states = coefficients;
    for (int i = first; i < first + count; i++) {
        Pending *pending = &p->pending[i];
        FvProresGpuPicture *picture = &pending->picture;
        size_t place = (size_t)pending->number * sizeof *picture;
        picture->coefficients = p->work.address + at;
        picture->states = p->work.address + states;
        at += pending->coefficient_bytes;
        states += pending->state_bytes;
        slices = picture->slices > slices ? picture->slices : slices;
        int used = picture->slices << (picture->log2_slice + 2);
        lanes = used > lanes ? used : lanes;
        has_signature |= picture->has_signature;
        memcpy(p->host_pictures.host + place, picture, sizeof *picture);
        ops->copy(p->gpu, FV_GPU_COMPUTE, &p->pictures, (size_t)(i - first) * sizeof *picture, &p->host_pictures,
                  place, sizeof *picture);
    }
    ops->fill(p->gpu, FV_GPU_COMPUTE, &p->work, 0, coefficients, 0);
    ops->barrier(p->gpu, FV_GPU_COMPUTE);
    const FvProresArgs args = {p->pictures.address, p->pending[first].depth, p->pending[first].chroma_444};
    ops->launch(p->gpu, FV_GPU_COMPUTE, &fv_kernel_prores_entropy, &args, (uint32_t)(slices + THREADS - 1) / THREADS,
                3, (uint32_t)count);
    ops->barrier(p->gpu, FV_GPU_COMPUTE);
    ops->launch(p->gpu, FV_GPU_COMPUTE, &fv_kernel_prores_transform, &args, (uint32_t)(lanes + THREADS - 1) / THREADS,
                p->pending[first].luma_only ? 1 : 3, (uint32_t)count);
    ops->barrier(p->gpu, FV_GPU_COMPUTE);
    if (!has_signature)
        return;
    ops->launch(p->gpu, FV_GPU_COMPUTE, &fv_kernel_prores_signature, &args, FV_SIGNATURE_COLUMNS, FV_SIGNATURE_ROWS,
                (uint32_t)count);
    ops->barrier(p->gpu, FV_GPU_COMPUTE);
}

void fv_gpu_prores_record(FvGpuProres *p)
{
    const FvGpuOps *ops = p->gpu->ops;
    size_t bytes;
    for (int i = 0; i < p->pending_count; i++)
        ops->fill(p->gpu, FV_GPU_COMPUTE, &p->damaged, sizeof(uint32_t) * (size_t)p->pending[i].number,
                  sizeof(uint32_t), 0);
    for (int first = 0, count; first < p->pending_count; first += count) {
        count = choose_chunk(p, first, &bytes);
        launch_chunk(p, first, count);
    }
    for (int i = 0; i < p->pending_count; i++) {
        size_t at = sizeof(uint32_t) * (size_t)p->pending[i].number;
        ops->copy(p->gpu, FV_GPU_COMPUTE, &p->host_damaged, at, &p->damaged, at, sizeof(uint32_t));
    }
    p->pending_count = 0;
}

int fv_gpu_prores_damaged(const FvGpuProres *p, int slot, int picture)
{
    return (int)((const uint32_t *)p->host_damaged.host)[2 * slot + picture];
}

const uint32_t *fv_gpu_prores_sums(const FvGpuProres *p, int slot)
{
    return (const uint32_t *)(p->sums.host + SUMS * (size_t)slot);
}

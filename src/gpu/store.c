#include "gpu/store.h"

#include <stdlib.h>

#include "kernel/host.h"
#include "base/error.h"
#include "kernel/prores.h"
#include "os/memory.h"
#include "os/thread.h"
#include "picture/frame.h"

/* Sizes in bytes are rounded up to this, so that packets of similar size can reuse each other's memory. */
#define PACKET_STEP ((size_t)1 << 18)
#define LARGEST_PACKET ((size_t)1 << 28) /* maximum bytes of a packet; no GPU decodes larger ones */

typedef struct Block {
    FvGpuStore *store;
    struct Block *next; /* next idle block */
    FvGpuPlace place;
    FvGpuMemory memory;
} Block;

struct FvGpuStore {
    FvGpu *gpu;
    FvMutex lock;
    Block *idle;
};

FvGpuStore *fv_gpu_store_open(FvGpu *gpu)
{
    FvGpuStore *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->gpu = gpu;
    fv_mutex_open(&store->lock);
    return store;
}

static void take_back(void *opaque)
{
    Block *block = opaque;
    fv_lock(&block->store->lock);
    block->next = block->store->idle;
    block->store->idle = block;
    fv_unlock(&block->store->lock);
}

static Block *find_idle(FvGpuStore *store, size_t bytes, FvGpuPlace place)
{
    Block *found = NULL;
    fv_lock(&store->lock);
    for (Block **link = &store->idle; *link; link = &(*link)->next)
        if ((*link)->place == place && (*link)->memory.bytes == bytes) {
            found = *link;
            *link = found->next;
            break;
        }
    fv_unlock(&store->lock);
    return found;
}

/* Finds the smallest idle block that is large enough, so that one large packet does not make all blocks large. */
static Block *find_roomy(FvGpuStore *store, size_t bytes)
{
    Block **best = NULL;
    fv_lock(&store->lock);
    for (Block **link = &store->idle; *link; link = &(*link)->next)
        if ((*link)->place == FV_GPU_HOST && (*link)->memory.bytes >= bytes &&
            (!best || (*link)->memory.bytes < (*best)->memory.bytes))
            best = link;
    Block *found = best ? *best : NULL;
    if (found)
        *best = found->next;
    fv_unlock(&store->lock);
    return found;
}

static FvStatus get_block(FvGpuStore *store, Block **block, size_t bytes, FvGpuPlace place, FvError *error)
{
    *block = find_idle(store, bytes, place);
    if (*block)
        return FV_OK;
    *block = calloc(1, sizeof **block);
    if (!*block)
        return fv_fail_memory(error, sizeof **block);
    (*block)->store = store;
    (*block)->place = place;
    FvStatus status = store->gpu->ops->alloc(store->gpu, &(*block)->memory, bytes, place, error);
    if (status)
        free(*block);
    return status;
}

FvStatus fv_gpu_store_frame(FvGpuStore *store, FvFrame **frame, const FvFormat *format, FvGpuPlace place, bool packed,
                            FvError *error)
{
    *frame = NULL;
    FvStatus status = fv_format_check(format, error);
    Block *block;
    if (!status)
        status = get_block(store, &block, fv_format_plane_bytes(format), place, error);
    if (status)
        return status;
    FvFramePlace where = {.owner = store->gpu, .memory = &block->memory, .release = take_back, .opaque = block};
    uint8_t *data[3] = {NULL};
    ptrdiff_t stride[3] = {0};
    size_t at = 0;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        stride[plane] = packed ? (ptrdiff_t)width * fv_format_sample_bytes(format) : fv_format_stride(format, plane);
        where.address[plane] = block->memory.address + at;
        data[plane] = block->memory.host ? block->memory.host + at : NULL;
        at += (size_t)stride[plane] * (size_t)height;
    }
    return fv_frame_wrap(frame, format, data, stride, &where, error);
}

FvStatus fv_gpu_store_packet(FvGpuStore *store, FvPacketMemory *memory, size_t bytes, FvError *error)
{
    if (bytes > LARGEST_PACKET)
        return fv_fail_memory(error, bytes);
    const size_t room = bytes + FV_PRORES_PADDING;
    Block *block = find_roomy(store, room);
    FvStatus status =
        block ? FV_OK : get_block(store, &block, FV_ROUND_UP(room + room / 8, PACKET_STEP), FV_GPU_HOST, error);
    if (!status)
        *memory = (FvPacketMemory){.bytes = block->memory.host,
                                   .owner = store->gpu,
                                   .memory = &block->memory,
                                   .release = take_back,
                                   .opaque = block};
    return status;
}

void fv_gpu_store_close(FvGpuStore **store)
{
    FvGpuStore *closing = *store;
    *store = NULL;
    while (closing && closing->idle) {
        Block *block = closing->idle;
        closing->idle = block->next;
        closing->gpu->ops->free(closing->gpu, &block->memory);
        free(block);
    }
    if (closing)
        fv_mutex_close(&closing->lock);
    free(closing);
}

#include "guard.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define BAND 4096
#define PATTERN 0x5a
#define GARBAGE 0xc3

int guard_checked, guard_damaged, guard_waits;
size_t guard_used, guard_peak, guard_room;

static const FvGpuOps *driver;
static FvGpuOps guarded;

/* Returns the block as the driver allocated it, with the guard bands around it. */
static FvGpuMemory raw(const FvGpuMemory *memory)
{
    FvGpuMemory block = *memory;
    block.address -= BAND;
    block.host = memory->host ? memory->host - BAND : NULL;
    block.bytes += 2 * BAND;
    return block;
}

/* Copies between a block and host memory, in the direction that `to_device` states. */
static FvStatus transfer(FvGpu *gpu, const FvGpuMemory *block, uint8_t *bytes, bool to_device, FvError *error)
{
    FvGpuMemory staging;
    FvStatus status = driver->alloc(gpu, &staging, block->bytes, FV_GPU_HOST, error);
    if (status)
        return status;
    if (to_device)
        memcpy(staging.host, bytes, block->bytes);
    uint64_t ticket;
    status = driver->begin(gpu, FV_GPU_COMPUTE, error);
    if (!status) {
        driver->copy(gpu, FV_GPU_COMPUTE, to_device ? block : &staging, 0, to_device ? &staging : block, 0,
                     block->bytes);
        status = driver->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    }
    if (!status)
        status = driver->wait(gpu, FV_GPU_COMPUTE, ticket, error);
    if (!status && !to_device)
        memcpy(bytes, staging.host, block->bytes);
    driver->free(gpu, &staging);
    return status;
}

static FvStatus guarded_alloc(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error)
{
    FvGpuMemory block;
    *memory = (FvGpuMemory){0};
    if (place == FV_GPU_LOCAL && bytes > guard_room - guard_used)
        return fv_fail(error, FV_ERROR_DEVICE, "no room for %zu bytes", bytes);
    FvStatus status = driver->alloc(gpu, &block, bytes + 2 * BAND, place, error);
    if (status)
        return status;
    if (place == FV_GPU_LOCAL) {
        guard_used += bytes;
        guard_peak = guard_used > guard_peak ? guard_used : guard_peak;
    }
    uint8_t *content = block.host ? block.host : malloc(block.bytes);
    memset(content, PATTERN, block.bytes);
    memset(content + BAND, GARBAGE, bytes);
    if (!block.host) {
        status = transfer(gpu, &block, content, true, error);
        free(content);
    }
    *memory = block;
    memory->address += BAND;
    memory->host = block.host ? block.host + BAND : NULL;
    memory->bytes = bytes;
    return status;
}

static void guarded_free(FvGpu *gpu, FvGpuMemory *memory)
{
    if (!memory->address)
        return;
    FvGpuMemory block = raw(memory);
    FvError error;
    uint8_t *content = malloc(block.bytes);
    if (block.host)
        memcpy(content, block.host, block.bytes);
    bool damaged = !block.host && transfer(gpu, &block, content, false, &error);
    for (size_t i = 0; i < BAND && !damaged; i++)
        damaged = content[i] != PATTERN || content[block.bytes - 1 - i] != PATTERN;
    guard_used -= block.host ? 0 : memory->bytes;
    guard_checked++;
    guard_damaged += damaged;
    free(content);
    driver->free(gpu, &block);
    *memory = (FvGpuMemory){0};
}

static void guarded_copy(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t to_offset,
                         const FvGpuMemory *from, size_t from_offset, size_t bytes)
{
    FvGpuMemory raw_to = raw(to), raw_from = raw(from);
    driver->copy(gpu, queue, &raw_to, to_offset + BAND, &raw_from, from_offset + BAND, bytes);
}

static void guarded_fill(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t offset, size_t bytes,
                         uint32_t word)
{
    FvGpuMemory block = raw(to);
    driver->fill(gpu, queue, &block, offset + BAND, bytes, word);
}

static FvStatus guarded_wait(FvGpu *gpu, FvGpuQueue queue, uint64_t ticket, FvError *error)
{
    FvStatus status = driver->wait(gpu, queue, ticket, error);
    return status || guard_waits-- > 0 ? status : fv_fail(error, FV_ERROR_DEVICE, "the device was lost");
}

void guard_install(FvGpu *gpu)
{
    driver = gpu->ops;
    guarded = *driver;
    guarded.alloc = guarded_alloc;
    guarded.free = guarded_free;
    guarded.copy = guarded_copy;
    guarded.fill = guarded_fill;
    guarded.wait = guarded_wait;
    guard_checked = guard_damaged = 0;
    guard_used = guard_peak = 0;
    guard_room = SIZE_MAX;
    guard_waits = INT_MAX;
    gpu->ops = &guarded;
}

void guard_remove(FvGpu *gpu)
{
    gpu->ops = driver;
}

/*
 * Frames and packets that callers fill: pinned host memory or device memory, recycled because drivers allocate
 * slowly.
 */
#pragma once

#include "gpu/gpu.h"
#include "picture/packet_memory.h"

typedef struct FvGpuStore FvGpuStore;

FvGpuStore *fv_gpu_store_open(FvGpu *gpu);
/*
 * Allocates a frame. Thread-safe, as is releasing it. `packed`: rows are contiguous, which requires rows of a
 * multiple of 16 bytes.
 */
FvStatus fv_gpu_store_frame(FvGpuStore *store, FvFrame **frame, const FvFormat *format, FvGpuPlace place, bool packed,
                            FvError *error);
/* Allocates host memory for a packet of this many bytes and for the zeros after it that kernel/prores.h requires. */
FvStatus fv_gpu_store_packet(FvGpuStore *store, FvPacketMemory *memory, size_t bytes, FvError *error);
/* Closes the store. Call it after all frames and packets have been released. */
void fv_gpu_store_close(FvGpuStore **store);

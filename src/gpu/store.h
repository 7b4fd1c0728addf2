/*
 * Allocates memory of frames and packets that callers fill: pinned host memory, or device memory. Blocks are reused,
 * because drivers allocate slowly.
 */
#pragma once

#include "gpu/gpu.h"
#include "picture/packet_memory.h"

typedef struct FvGpuStore FvGpuStore;

FvGpuStore *fv_gpu_store_open(FvGpu *gpu);
/*
 * Allocates a frame. This and the release of the frame are thread-safe. packed: rows are contiguous, which requires
 * rows of a multiple of 16 bytes.
 */
FvStatus fv_gpu_store_frame(FvGpuStore *store, FvFrame **frame, const FvFormat *format, FvGpuPlace place, bool packed,
                            FvError *error);
/*
 * Allocates host memory for a packet of this size in bytes, and for the zeros that must follow it (kernel/prores.h).
 */
FvStatus fv_gpu_store_packet(FvGpuStore *store, FvPacketMemory *memory, size_t bytes, FvError *error);
/* Closes the store. Call it after all frames and packets have been released. */
void fv_gpu_store_close(FvGpuStore **store);

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
 * Frames may be asked for and released in any thread. `packed`: rows follow each other without a gap, which takes
 * rows of a multiple of 16 bytes.
 */
FvStatus fv_gpu_store_frame(FvGpuStore *store, FvFrame **frame, const FvFormat *format, FvGpuPlace place, bool packed,
                            FvError *error);
/* Memory of the host for a packet of so many bytes and for the zeros behind it that kernel/prores.h asks for. */
FvStatus fv_gpu_store_packet(FvGpuStore *store, FvPacketMemory *memory, size_t bytes, FvError *error);
/* After all frames and packets have been released. */
void fv_gpu_store_close(FvGpuStore **store);

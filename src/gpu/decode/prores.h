/*
 * ProRes decoding on a GPU: packets are copied to the device and decoded there. A slot holds one packet from the time
 * it is sent until the work recorded for it has finished. The caller numbers the slots, and must not reuse a slot
 * before that.
 */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "codec/prores/prores.h"
#include "gpu/gpu.h"

/* The kernels; the last entry is NULL. */
extern const FvKernel *const fv_gpu_prores_kernels[];

typedef struct FvGpuProres FvGpuProres;

FvStatus fv_gpu_prores_open(FvGpuProres **prores, FvGpu *gpu, int slots, FvError *error);
void fv_gpu_prores_close(FvGpuProres **prores);

/*
 * Records the transfer of a packet on the open list of FV_GPU_COPY (no other list may be open), and remembers the
 * packet for fv_gpu_prores_record(). Planes with address 0 are not written. memory: NULL, or host memory of the
 * device that contains the packet at `offset`, a multiple of 4, with room for FV_PRORES_PADDING zeros after it. If it
 * is NULL, the packet is first copied to such memory. On failure this packet will not be decoded, but packets sent
 * earlier will.
 */
FvStatus fv_gpu_prores_send(FvGpuProres *prores, int slot, const FvProresHeader *header, const uint8_t *packet,
                            size_t size, const FvGpuMemory *memory, size_t offset, const FvPlanes *planes,
                            FvError *error);

/* Requests the signature of the frame whose packet was sent last, to this slot. */
void fv_gpu_prores_sign(FvGpuProres *prores, int slot, const FvFormat *format, const FvPlanes *planes);

/* Records the decoding of all packets sent since the last call, on the open list of FV_GPU_COMPUTE. */
void fv_gpu_prores_record(FvGpuProres *prores);

/*
 * Returns the number of damaged slices in picture 0 or 1 of a slot's packet. Valid when the recorded work has
 * finished.
 */
int fv_gpu_prores_damaged(const FvGpuProres *prores, int slot, int picture);

/* Returns the sums of a slot's signature (arith/signature.h). Valid when the recorded work has finished. */
const uint32_t *fv_gpu_prores_sums(const FvGpuProres *prores, int slot);

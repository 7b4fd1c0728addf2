/*
 * ProRes on a GPU: packets go to the device, samples are made there. A slot holds one packet from the time it
 * is sent until what was recorded for it has finished; the caller numbers slots and does not reuse one
 * before.
 */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "codec/prores/prores.h"
#include "gpu/gpu.h"

typedef struct FvGpuProres FvGpuProres;

FvStatus fv_gpu_prores_open(FvGpuProres **prores, FvGpu *gpu, int slots, FvError *error);
void fv_gpu_prores_close(FvGpuProres **prores);

/*
 * Records the transfer of a packet on the open list of FV_GPU_COPY (no other list may be open) and remembers it for
 * fv_gpu_prores_record. Planes with address 0 are not written. `memory`, if not NULL, is host memory of the device
 * that contains the packet at `offset`, a multiple of 4, with room for FV_PRORES_PADDING zeros after it; else the
 * packet is copied to such memory first. On failure this packet will not be decoded; packets sent earlier will.
 */
FvStatus fv_gpu_prores_send(FvGpuProres *prores, int slot, const FvProresHeader *header, const uint8_t *packet,
                            size_t size, const FvGpuMemory *memory, size_t offset, const FvPlanes *planes,
                            FvError *error);

/* The frame of the packet that was sent last, to this slot, is signed. */
void fv_gpu_prores_sign(FvGpuProres *prores, int slot, const FvFormat *format, const FvPlanes *planes);

/* Records the decoding of all packets sent since the last call on the open list of FV_GPU_COMPUTE. */
void fv_gpu_prores_record(FvGpuProres *prores);

/* Damaged slices of one of the two pictures of a slot's packet, once what was recorded has finished. */
int fv_gpu_prores_damaged(const FvGpuProres *prores, int slot, int picture);

/* The sums of a slot's signature (arith/signature.h), likewise. */
const uint32_t *fv_gpu_prores_sums(const FvGpuProres *prores, int slot);

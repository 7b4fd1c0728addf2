/* Decodes frames of a ProRes source on a GPU and copies them back to the host. */
#pragma once

#include "gpu/gpu.h"
#include "input/source.h"

typedef struct FvProresDevice FvProresDevice;

/* Opens the decoder of a source whose `prores` and `pool` exist. The GPU belongs to the caller. */
FvStatus fv_prores_device_open(FvProresDevice **device, FvGpu *gpu, const FvSource *source, FvError *error);

/* Reads a frame, as FvSourceOps.read, with the samples, counts of damage and errors of the CPU. */
FvStatus fv_prores_device_read(FvProresDevice *device, FvSource *source, FvFrame **frame, FvError *error);

/* Drops the frames that were decoded ahead. Call it when the source seeks or closes. */
void fv_prores_device_drop(FvProresDevice *device);

void fv_prores_device_close(FvProresDevice **device);

/* Frames of a ProRes source, decoded on a GPU and copied back to the host. */
#ifndef FV_INPUT_PRORES_DEVICE_H
#define FV_INPUT_PRORES_DEVICE_H

#include "input/source.h"

typedef struct FvGpuSource FvGpuSource;

/* source->prores and source->pool exist. device: "vulkan:0", "cuda", ... */
FvStatus fv_gpu_source_open(FvGpuSource **gpu, const FvSource *source, const char *device, FvError *error);

/* As FvSourceOps.read: the same samples, counts of damage and errors. */
FvStatus fv_gpu_source_read(FvGpuSource *gpu, FvSource *source, FvFrame **frame, FvError *error);

/* Forgets the frames that were decoded ahead: the source goes elsewhere. */
void fv_gpu_source_drop(FvGpuSource *gpu);

void fv_gpu_source_close(FvGpuSource **gpu);

#endif

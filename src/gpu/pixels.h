/* Makes RGB frames in device memory from pixels there. */
#pragma once

#include "gpu/store.h"
#include "picture/pixels.h"

/* The kernels; the last entry is NULL. */
extern const FvKernel *const fv_gpu_pixels_kernels[];

/* Memory in which kernels report refused samples, on the device and on the host; zero: not allocated. */
typedef struct FvGpuRefused {
    FvGpuMemory local, host;
} FvGpuRefused;

void fv_gpu_refused_free(FvGpu *gpu, FvGpuRefused *refused);

/*
 * Does fv_frame_from_pixels() with arguments that were checked. The frame comes from `store`, and is complete when
 * the call returns. `refused` is allocated at the first call, and is for one thread at a time.
 */
FvStatus fv_gpu_pixels_make(FvGpu *gpu, FvGpuStore *store, FvGpuRefused *refused, FvFrame **frame,
                            const FvFormat *format, const FvPixels *pixels, int matrix, FvError *error);

/*
 * Pictures in CUDA's memory, for programs built for libvmaf 3. Part of fovea's stand-in for libvmaf.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * Every function here answers -EINVAL: pictures are handed over in host memory, and the environment variable
 * FOVEA_DEVICE has them scored on a GPU.
 */
#ifndef LIBVMAF_LIBVMAF_CUDA_H
#define LIBVMAF_LIBVMAF_CUDA_H

#include "libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafCudaState VmafCudaState;

typedef struct VmafCudaConfiguration {
    void *cu_ctx; /* CUcontext */
} VmafCudaConfiguration;

enum VmafCudaPicturePreallocationMethod {
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE = 0,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE = 1,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST = 2,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED = 3,
};

typedef struct VmafCudaPictureConfiguration {
    struct {
        unsigned w, h; /* luma samples */
        unsigned bpc;
        enum VmafPixelFormat pix_fmt;
    } pic_params;
    enum VmafCudaPicturePreallocationMethod pic_prealloc_method;
} VmafCudaPictureConfiguration;

/* *cu_state is NULL then. */
VMAF_API int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg);

VMAF_API int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state);
VMAF_API int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg);
VMAF_API int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif

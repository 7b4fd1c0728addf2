/*
 * Pictures in CUDA's memory, for programs built for libvmaf 3. Part of fovea's stand-in for libvmaf.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * The client makes a state from a CUDA context and imports it into a VmafContext before the first picture. Pictures
 * fetched afterwards are in that context's memory and are scored there. Pictures in host memory need no state: with
 * the environment variable FOVEA_DEVICE, a GPU scores them too.
 */
#ifndef LIBVMAF_LIBVMAF_CUDA_H
#define LIBVMAF_LIBVMAF_CUDA_H

#include "libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafCudaState VmafCudaState;

typedef struct VmafCudaConfiguration {
    void *cu_ctx; /* CUcontext, which the client owns and keeps until vmaf_close(); NULL: the primary context of the
                     device that FOVEA_DEVICE names, or else of device 0 */
} VmafCudaConfiguration;

enum VmafCudaPicturePreallocationMethod {
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE = 0,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE = 1,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST = 2,        /* host memory, as from vmaf_picture_alloc() */
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED = 3, /* same effect as METHOD_HOST */
};

typedef struct VmafCudaPictureConfiguration {
    struct {
        unsigned w, h; /* luma samples */
        unsigned bpc;
        enum VmafPixelFormat pix_fmt;
    } pic_params;
    enum VmafCudaPicturePreallocationMethod pic_prealloc_method;
} VmafCudaPictureConfiguration;

/*
 * Returns the state of a CUDA context, the same for every call with that context. The library owns it and never frees
 * it. -EINVAL, with *cu_state NULL: there is no driver, GPU or such context. Thread-safe.
 */
VMAF_API int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg);

/* Imports a state. -EINVAL: an argument is NULL, or pictures exist and the state is not the one imported before. */
VMAF_API int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state);

/*
 * Sets the kind of pictures that vmaf_cuda_fetch_preallocated_picture() returns from now on. With METHOD_DEVICE,
 * pictures have only luma, so features that read chroma are refused. -EINVAL: no state is imported, or the method or
 * the format is unknown. -ENOMEM: the GPU has no room for a picture.
 */
VMAF_API int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg);

/*
 * Fetches a picture with undefined samples. data[] are addresses on the device (CUdeviceptr). The caller fills it
 * through the context's default stream, or a stream that synchronises with it, and need not wait for completion
 * before vmaf_read_pictures(). -EINVAL without preallocation; -ENOMEM if the GPU has no room. Thread-safe.
 */
VMAF_API int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Pictures in CUDA's memory, for programs built for libvmaf 3. Part of fovea's stand-in for libvmaf.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * A state is made of a CUDA context and imported into a VmafContext before its first picture; pictures that are
 * fetched afterwards lie in that context's memory and are scored there. Pictures in host memory need nothing of this:
 * the environment variable FOVEA_DEVICE has them scored on a GPU.
 */
#ifndef LIBVMAF_LIBVMAF_CUDA_H
#define LIBVMAF_LIBVMAF_CUDA_H

#include "libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafCudaState VmafCudaState;

typedef struct VmafCudaConfiguration {
    void *cu_ctx; /* CUcontext, the client's until vmaf_close(); NULL: the primary one of device 0, or of that which
                     FOVEA_DEVICE names */
} VmafCudaConfiguration;

enum VmafCudaPicturePreallocationMethod {
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE = 0,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE = 1,
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST = 2,        /* as vmaf_picture_alloc() makes them */
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED = 3, /* the same */
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
 * The state of a context, which is the same for every call with that context. It is the library's, and stays. -EINVAL
 * when there is no driver, no GPU or no such context: *cu_state is NULL then. Thread-safe.
 */
VMAF_API int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg);

/* -EINVAL for NULL, and for another state than before once there are pictures. */
VMAF_API int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state);

/*
 * What vmaf_cuda_fetch_preallocated_picture() gives from now on. With METHOD_DEVICE, features that look at chroma are
 * refused: pictures have luma only. -EINVAL without an imported state, for an unknown method, and for a format that
 * no picture has; -ENOMEM when the GPU has no room for one.
 */
VMAF_API int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg);

/*
 * A picture with undefined samples. data[] are addresses on the device (CUdeviceptr). The caller fills it through the
 * context's default stream, or streams that are ordered with it, and need not wait for the end of that before
 * vmaf_read_pictures(). -EINVAL without preallocation, -ENOMEM when the GPU has no room. Thread-safe.
 */
VMAF_API int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif

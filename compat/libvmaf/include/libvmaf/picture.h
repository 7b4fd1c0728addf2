/*
 * Pictures, in the layout that programs built for libvmaf 3 expect. Part of fovea's stand-in for libvmaf.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 */
#ifndef LIBVMAF_PICTURE_H
#define LIBVMAF_PICTURE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VMAF_API __attribute__((visibility("default")))
#else
#define VMAF_API
#endif

enum VmafPixelFormat {
    VMAF_PIX_FMT_UNKNOWN = 0,
    VMAF_PIX_FMT_YUV420P = 1,
    VMAF_PIX_FMT_YUV422P = 2,
    VMAF_PIX_FMT_YUV444P = 3,
    VMAF_PIX_FMT_YUV400P = 4, /* luma only */
};

typedef struct VmafRef VmafRef;

/*
 * Planes 0 to 2 are luma, Cb and Cr. Samples of more than 8 bits are 16-bit words in host order, in the low bits. Odd
 * chroma sizes are rounded down: 67x51 in 4:2:0 has chroma planes of 33x25.
 */
typedef struct VmafPicture {
    enum VmafPixelFormat pix_fmt;
    unsigned bpc;        /* bits per sample */
    unsigned w[3], h[3]; /* size in samples; 0 for planes that the format lacks */
    ptrdiff_t stride[3]; /* bytes from one row to the next */
    void *data[3];       /* first sample of each plane; NULL for planes that the format lacks */
    VmafRef *ref;        /* for the library only; NULL: the struct holds no picture */
    void *priv;          /* the library's private data */
} VmafPicture;

/*
 * Allocates a picture of w x h luma samples of bpc bits, [8, 16], all 0, which the caller owns. Its planes are
 * consecutive in one block; rows begin at multiples of 32 bytes. -EINVAL: an invalid format or depth. -ENOMEM: out of
 * memory.
 */
VMAF_API int vmaf_picture_alloc(VmafPicture *pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h);

/*
 * Releases the picture, and zeroes the struct. -EINVAL, without any effect, for NULL and for a zeroed struct, such as
 * vmaf_read_pictures() leaves. Thread-safe.
 */
VMAF_API int vmaf_picture_unref(VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif

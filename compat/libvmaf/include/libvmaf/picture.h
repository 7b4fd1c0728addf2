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
 * Planes 0 to 2 are luma, Cb and Cr. Samples of more than 8 bits are 16-bit words in host order, in the low bits.
 * Chroma of odd sizes is rounded down: 67x51 in 4:2:0 has 33x25.
 */
typedef struct VmafPicture {
    enum VmafPixelFormat pix_fmt;
    unsigned bpc;        /* bits per sample */
    unsigned w[3], h[3]; /* samples; 0 for planes the format lacks */
    ptrdiff_t stride[3]; /* bytes from one row to the next */
    void *data[3];       /* first sample of each plane; NULL for planes the format lacks */
    VmafRef *ref;        /* the library's; NULL: there is no picture here */
    void *priv;          /* the library's */
} VmafPicture;

/*
 * A picture of w x h luma samples of bpc bits, [8, 16], all 0, with one owner: the caller. Its planes lie behind each
 * other in one block; rows begin at multiples of 32 bytes. -EINVAL for a format or depth outside the ranges above,
 * -ENOMEM when memory runs out.
 */
VMAF_API int vmaf_picture_alloc(VmafPicture *pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h);

/*
 * Gives the picture back, and leaves a struct of zeros. -EINVAL for NULL and for such a struct: after
 * vmaf_read_pictures() has taken a picture there is nothing to give back, and trying does no harm. Thread-safe.
 */
VMAF_API int vmaf_picture_unref(VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif

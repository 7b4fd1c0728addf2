/* Kernels of CIEDE2000 on the CPU. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

/* A pair of frames; index [0] is the reference, [1] the distorted frame. */
typedef struct FvCiedePictures {
    const uint8_t *data[2][3];
    ptrdiff_t stride[2][3]; /* distance between rows in bytes */
    int width, height;      /* size of luma */
    int across, down;       /* luma samples per chroma sample in each direction: 1 or 2 */
    int depth;              /* 8: bytes; else 16-bit words */
    /* Whether to read subsampled chroma at the addresses where libvmaf's buffers have it: fv_ciede_peer_sample(). */
    bool peer_layout;
} FvCiedePictures;

typedef struct FvCiedeKernels {
    /*
     * Returns the sum of the differences over `count` rows of pixels from row `first` on, times `unit`, a power of
     * two (arith/fixed.h).
     */
    int64_t (*sum)(const FvCiedePictures *pictures, int first, int count, double unit, void *scratch);
} FvCiedeKernels;

FV_FAMILY(FvCiedeKernels, fv_ciede_kernels)

/*
 * Returns the 16-bit words of a row of working memory. The memory has a row of Cb and of Cr of both frames, at luma's
 * resolution.
 */
static inline size_t fv_ciede_pitch(int width)
{
    return FV_ROUND_UP((size_t)width + 64, 32);
}

static inline size_t fv_ciede_scratch_bytes(int width)
{
    return 4 * fv_ciede_pitch(width) * sizeof(uint16_t);
}

/*
 * Returns the sample of plane 1 or 2 for luma position (x, y) as libvmaf reads it. libvmaf's rows have
 * floor(width / 2) samples, padded with zeros to a multiple of 32. So the column after the last one of 4:2:0 is
 * padding or the next row, and 4:2:2 is read as if chroma were halved vertically.
 */
static inline int fv_ciede_peer_sample(const FvCiedePictures *pictures, int picture, int plane, int x, int y)
{
    int columns = pictures->width / 2, pitch = (columns + 31) / 32 * 32;
    int rows = pictures->down == 2 ? pictures->height / 2 : pictures->height;
    int at = pictures->down == 2 ? y / 2 * pitch + x / 2 : y / 2 * pitch + x;
    int row = at / pitch, column = at % pitch;
    if (column >= columns || row >= rows)
        return 0;
    const uint8_t *from = pictures->data[picture][plane] + row * pictures->stride[picture][plane];
    return pictures->depth == 8 ? from[column] : ((const uint16_t *)from)[column];
}

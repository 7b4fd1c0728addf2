#include "gpu/selftest/surface.h"

#include <string.h>

#include "gpu/planes.h"
#include "gpu/surface.h"
#include "picture/frame.h"
#include "picture/signature.h"

/*
 * Pictures with samples of bytes and of words, both layouts, cropping at the left and top, odd sizes, planes that are
 * not requested, signatures.
 */
const FvGpuPicture fv_gpu_pictures[] = {
    {64, 36, FV_CHROMA_420, 8, true, 0, 0, 7},   {1, 1, FV_CHROMA_420, 8, true, 0, 0, 7},
    {70, 33, FV_CHROMA_420, 8, true, 6, 2, 7},   {515, 7, FV_CHROMA_420, 10, true, 0, 0, 7},
    {129, 65, FV_CHROMA_420, 12, true, 2, 4, 7}, {66, 34, FV_CHROMA_444, 8, false, 3, 1, 7},
    {67, 35, FV_CHROMA_444, 10, false, 1, 3, 7}, {130, 20, FV_CHROMA_420, 10, true, 0, 0, 1},
    {37, 21, FV_CHROMA_420, 10, true, 0, 0, 6},  {515, 77, FV_CHROMA_420, 8, true, 2, 2, 1},
    {771, 41, FV_CHROMA_420, 12, true, 0, 0, 1}, {0},
};

/* A decoder's picture. Its stride exceeds its rows, and there are samples around the visible ones. */
typedef struct Picture {
    const FvGpuPicture *shape;
    FvGpuMemory host, local, sums;
    FvGpuSurface surface;
    size_t at[3]; /* offset of each plane in bytes */
} Picture;

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool has_signature(const FvGpuPicture *shape)
{
    return shape->planes & 1 && shape->width >= 2 * FV_SIGNATURE_COLUMNS && shape->height >= FV_SIGNATURE_ROWS;
}

static FvStatus make_picture(Picture *picture, FvGpu *gpu, uint32_t *state, FvError *error)
{
    const FvGpuPicture *shape = picture->shape;
    const int sample = shape->depth > 8 ? 2 : 1, half = shape->chroma == FV_CHROMA_420;
    const int width = shape->left + shape->width + 3, height = shape->top + shape->height + 3;
    const int rows[3] = {height, half ? (height + 1) / 2 : height, half ? 0 : height};
    const uint32_t stride = (uint32_t)(width + 1) / 2 * 2 * sample / 4 * 4 + 20;
    size_t bytes = 0;
    picture->surface = (FvGpuSurface){.pairs = shape->pairs,
                                      .shift = sample > 1 ? 16 - shape->depth : 0,
                                      .left = shape->left,
                                      .top = shape->top,
                                      .planes = shape->planes};
    for (int plane = 0; plane < 3; plane++) {
        picture->at[plane] = bytes;
        picture->surface.stride[plane] = stride;
        bytes += (size_t)stride * (size_t)rows[plane];
    }
    FvStatus status = gpu->ops->alloc(gpu, &picture->host, bytes, FV_GPU_HOST, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &picture->local, bytes, FV_GPU_LOCAL, error);
    if (!status && has_signature(shape))
        status = gpu->ops->alloc(gpu, &picture->sums, FV_SIGNATURE * sizeof(uint32_t), FV_GPU_HOST, error);
    picture->surface.sums = picture->sums.address;
    for (size_t i = 0; i < bytes / 2 && !status; i++) {
        const uint16_t word = (uint16_t)(next(state) << picture->surface.shift);
        memcpy(picture->host.host + 2 * i, &word, 2);
    }
    for (int plane = 0; plane < 3; plane++)
        picture->surface.data[plane] = picture->local.address + picture->at[plane];
    return status;
}

/* Returns the sample of the picture that belongs to a sample of the frame. */
static unsigned expected(const Picture *picture, int plane, int x, int y)
{
    const FvGpuPicture *shape = picture->shape;
    const bool half = plane && shape->chroma == FV_CHROMA_420, pairs = plane && shape->pairs;
    const int from = pairs ? 1 : plane;
    const int column = (x + (half ? shape->left / 2 : shape->left)) * (pairs ? 2 : 1) + (pairs && plane == 2);
    const uint8_t *row = picture->host.host + picture->at[from] +
                         (size_t)(y + (half ? shape->top / 2 : shape->top)) * picture->surface.stride[from];
    uint16_t word;
    if (!(shape->planes >> plane & 1))
        return shape->depth > 8 ? 0xa5a5 : 0xa5; /* the initial content, because the plane is not written */
    if (shape->depth == 8)
        return row[column];
    memcpy(&word, row + 2 * column, 2);
    return word >> picture->surface.shift;
}

static bool is_same(const Picture *picture, const FvFormat *format, const uint8_t *got, char *why, size_t size)
{
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        const ptrdiff_t stride = fv_format_stride(format, plane);
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint16_t word = got[y * stride + x * (format->depth > 8 ? 2 : 1)];
                if (format->depth > 8)
                    memcpy(&word, got + y * stride + 2 * x, 2);
                const unsigned want = expected(picture, plane, x, y);
                if (word == want)
                    continue;
                snprintf(why, size,
                         "pictures of decoders, %dx%d %s of %d bits: plane %d, column %d, row %d is %u instead of %u",
                         format->width, format->height, fv_chroma_name(format->chroma), format->depth, plane, x, y,
                         word, want);
                return false;
            }
        got += stride * height;
    }
    return true;
}

static bool has_same_signature(const Picture *picture, const FvFormat *format, const uint8_t *got, char *why,
                               size_t size)
{
    const FvLuma luma = {.data = got,
                         .stride = fv_format_stride(format, 0),
                         .width = format->width,
                         .height = format->height,
                         .bytes = fv_format_sample_bytes(format),
                         .depth = format->depth};
    int32_t made[FV_SIGNATURE], want[FV_SIGNATURE];
    fv_sample_make(want, &luma);
    fv_sample_take(made, format, (const uint32_t *)picture->sums.host);
    if (!memcmp(made, want, sizeof made))
        return true;
    snprintf(why, size, "pictures of decoders, %dx%d of %d bits: another signature", format->width, format->height,
             format->depth);
    return false;
}

static FvStatus end(FvGpu *gpu, FvError *error)
{
    uint64_t ticket;
    FvStatus status = gpu->ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : gpu->ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

static FvStatus convert_surface(FvGpu *gpu, const Picture *picture, const FvFormat *format, const FvGpuMemory *local,
                                const FvGpuMemory *host, FvError *error)
{
    const FvGpuOps *ops = gpu->ops;
    FvPlanes planes = {0};
    ptrdiff_t stride[3] = {0};
    fv_gpu_planes(format, local->address, &planes);
    for (int plane = 0; plane < 3; plane++)
        stride[plane] = (ptrdiff_t)planes.stride[plane];
    FvStatus status = ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->copy(gpu, FV_GPU_COMPUTE, &picture->local, 0, &picture->host, 0, picture->host.bytes);
    ops->fill(gpu, FV_GPU_COMPUTE, local, 0, local->bytes, 0xa5a5a5a5u);
    status = end(gpu, error);
    if (!status)
        status = fv_gpu_surface_take(gpu, &picture->surface, format, planes.data, stride, error);
    if (!status)
        status = ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->copy(gpu, FV_GPU_COMPUTE, host, 0, local, 0, local->bytes);
    return end(gpu, error);
}

FvTestVerdict fv_gpu_verify_picture(FvGpu *gpu, const FvGpuPicture *shape, uint32_t seed, char *why, size_t size)
{
    const FvFormat format = {
        .width = shape->width, .height = shape->height, .chroma = shape->chroma, .depth = shape->depth};
    const size_t bytes = fv_format_plane_bytes(&format);
    Picture picture = {.shape = shape};
    FvGpuMemory local = {0}, host = {0};
    FvError error = {0};
    FvStatus status = make_picture(&picture, gpu, &seed, &error);
    if (!status)
        status = gpu->ops->alloc(gpu, &local, bytes, FV_GPU_LOCAL, &error);
    if (!status)
        status = gpu->ops->alloc(gpu, &host, bytes, FV_GPU_HOST, &error);
    if (!status)
        status = convert_surface(gpu, &picture, &format, &local, &host, &error);
    if (status)
        snprintf(why, size, "%s", error.message);
    bool good = !status && is_same(&picture, &format, host.host, why, size);
    if (good && has_signature(shape))
        good = has_same_signature(&picture, &format, host.host, why, size);
    gpu->ops->free(gpu, &picture.sums);
    gpu->ops->free(gpu, &picture.local);
    gpu->ops->free(gpu, &picture.host);
    gpu->ops->free(gpu, &local);
    gpu->ops->free(gpu, &host);
    return status ? FV_TEST_UNTESTED : good ? FV_TEST_SAME : FV_TEST_DIFFERS;
}

FvTestVerdict fv_gpu_verify_pictures(FvGpu *gpu, int number, char *why, size_t size)
{
    const FvGpuPicture *shape = &fv_gpu_pictures[number];
    return shape->width ? fv_gpu_verify_picture(gpu, shape, 1, why, size) : FV_TEST_REFUSES;
}

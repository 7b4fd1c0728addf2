#include "gpu/pixels.h"

#include "kernel/host.h"
#include "base/error.h"
#include "fovea/rgb.h"
#include "kernel/pixels.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "picture/ycbcr_variant.h"

extern const FvKernel fv_kernel_pixels, fv_kernel_pixels_real;
const FvKernel *const fv_gpu_pixels_kernels[] = {&fv_kernel_pixels, &fv_kernel_pixels_real, NULL};

enum { REFUSED_BYTES = 4 * sizeof(uint32_t) };

void fv_gpu_refused_free(FvGpu *gpu, FvGpuRefused *refused)
{
    gpu->ops->free(gpu, &refused->local);
    gpu->ops->free(gpu, &refused->host);
}

static FvStatus check_device(const FvGpu *gpu, const FvPixels *pixels, FvError *error)
{
    const int bytes = fv_pixels_bytes(pixels);
    if ((pixels->address | (uint64_t)pixels->row | (uint64_t)pixels->pixel | (uint64_t)pixels->component) %
        (uint64_t)bytes)
        return fv_fail(error, FV_ERROR_USAGE,
                       "pixels on a device must lie at multiples of their %d bytes; a copy of the array does", bytes);
    return gpu->info.float64 || !fv_pixels_are_real(pixels)
               ? FV_OK
               : fv_fail(error, FV_ERROR_DEVICE,
                         "%s computes without 64-bit floats, which pixels of real numbers need; use integers",
                         gpu->info.title);
}

static void split(uint32_t words[2], uint64_t value)
{
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

static FvPixelsArgs arguments_of(const FvPixels *pixels, const FvFrame *frame, const FvFrame *ycbcr,
                                 const FvGpuRefused *refused)
{
    const FvFormat *format = &frame->format;
    const FvLumaWeights weights = fv_colour_luma(ycbcr ? ycbcr->format.matrix : 0);
    FvPixelsArgs args = {
        .from = pixels->address / 4 * 4,
        .to = fv_frame_place(frame)->address[0],
        .ycbcr = ycbcr ? fv_frame_place(ycbcr)->address[0] : 0,
        .refused = refused->local.address,
        .skew = (uint32_t)(pixels->address % 4),
        .plane = (uint32_t)(fv_frame_place(frame)->address[1] - fv_frame_place(frame)->address[0]),
        .to_stride = (uint32_t)frame->stride[0],
        .width = (uint32_t)format->width,
        .bytes = (uint32_t)fv_pixels_bytes(pixels),
        .components = (uint32_t)pixels->components,
        .depth = (uint32_t)format->depth,
        .background = (uint32_t)pixels->background,
        .rounding = (uint32_t)pixels->rounding,
    };
    split(args.row, (uint64_t)pixels->row);
    split(args.pixel, (uint64_t)pixels->pixel);
    split(args.component, (uint64_t)pixels->component);
    split(args.low, fv_bits64(pixels->lowest));
    split(args.high, fv_bits64(pixels->highest));
    if (weights.red) {
        args.weights[0] = (uint32_t)weights.red;
        args.weights[1] = (uint32_t)(FV_LUMA_WHOLE - weights.red - weights.blue);
        args.weights[2] = (uint32_t)weights.blue;
    }
    return args;
}

static FvStatus launch(FvGpu *gpu, const FvPixels *pixels, const FvPixelsArgs *args, int height,
                       const FvGpuRefused *refused, FvError *error)
{
    const FvGpuOps *ops = gpu->ops;
    const uint32_t wide = FV_PIXELS_THREADS * FV_PIXELS_WIDE;
    uint64_t ticket;
    FvStatus status = ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->fill(gpu, FV_GPU_COMPUTE, &refused->local, 0, REFUSED_BYTES, 0);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    ops->launch(gpu, FV_GPU_COMPUTE, fv_pixels_are_real(pixels) ? &fv_kernel_pixels_real : &fv_kernel_pixels, args,
                (args->width + wide - 1) / wide, (uint32_t)height, 1);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    ops->copy(gpu, FV_GPU_COMPUTE, &refused->host, 0, &refused->local, 0, REFUSED_BYTES);
    status = ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

/* Refuses the sample that the host would refuse: the first real number, or the first integer of a component. */
static FvStatus check_refused(const FvPixels *pixels, const FvFormat *format, const FvGpuRefused *refused,
                              FvError *error)
{
    const uint32_t *left = (const uint32_t *)(const void *)refused->host.host;
    int first = 0;
    for (int c = 1; c < 4; c++)
        if (fv_pixels_are_real(pixels) ? left[c] > left[first] : !left[first])
            first = c;
    if (!left[first])
        return FV_OK;
    const int number = (int)(FV_PIXELS_MOST - left[first]);
    return fv_pixels_refuse(
        pixels, format->depth,
        &(FvBadSample){.x = number % format->width, .y = number / format->width, .component = first}, error);
}

FvStatus fv_gpu_pixels_make(FvGpu *gpu, FvGpuStore *store, FvGpuRefused *refused, FvFrame **frame,
                            const FvFormat *format, const FvPixels *pixels, int matrix, FvError *error)
{
    const FvFormat variant = fv_variant_format(format, matrix);
    FvFrame *ycbcr = NULL;
    FvStatus status = check_device(gpu, pixels, error);
    if (!status && !refused->local.address)
        status = gpu->ops->alloc(gpu, &refused->local, REFUSED_BYTES, FV_GPU_LOCAL, error);
    if (!status && !refused->host.address)
        status = gpu->ops->alloc(gpu, &refused->host, REFUSED_BYTES, FV_GPU_HOST, error);
    if (!status)
        status = fv_gpu_store_frame(store, frame, format, FV_GPU_LOCAL, false, error);
    if (!status && matrix)
        status = fv_gpu_store_frame(store, &ycbcr, &variant, FV_GPU_LOCAL, false, error);
    if (!status) {
        const FvPixelsArgs args = arguments_of(pixels, *frame, ycbcr, refused);
        status = launch(gpu, pixels, &args, format->height, refused, error);
    }
    if (!status)
        status = check_refused(pixels, format, refused, error);
    if (!status && matrix)
        return fv_frame_set_ycbcr(frame, ycbcr, error);
    fv_frame_unref(&ycbcr);
    if (status)
        fv_frame_unref(frame);
    return status;
}

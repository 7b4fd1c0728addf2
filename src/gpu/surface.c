#include "gpu/surface.h"

#include "kernel/host.h"
#include "kernel/signature.h"
#include "kernel/surface.h"
#include "picture/frame.h"
#include "picture/signature.h"

extern const FvKernel fv_kernel_surface8, fv_kernel_surface16, fv_kernel_signature8, fv_kernel_signature16;
const FvKernel *const fv_gpu_surface_kernels[] = {&fv_kernel_surface8, &fv_kernel_surface16, &fv_kernel_signature8,
                                                  &fv_kernel_signature16, NULL};

/* Number of samples that one workgroup writes. */
#define WIDE (FV_SURFACE_THREADS * FV_SURFACE_WIDE)

static void record_planes(FvGpu *gpu, const FvGpuSurface *surface, const FvFormat *format, const uint64_t to[3],
                          const ptrdiff_t stride[3])
{
    const bool bytes = fv_format_sample_bytes(format) == 1;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        if (!(surface->planes >> plane & 1))
            continue;
        const int from = plane == 2 && surface->pairs ? 1 : plane;
        const uint32_t step = plane && surface->pairs ? 2 : 1;
        const int left = plane && format->chroma != FV_CHROMA_444 ? surface->left / 2 : surface->left;
        const int top = plane && format->chroma == FV_CHROMA_420 ? surface->top / 2 : surface->top;
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        const FvSurfaceArgs args = {
            .from = surface->data[from] + (uint64_t)top * surface->stride[from],
            .to = to[plane],
            .from_stride = surface->stride[from],
            .to_stride = (uint32_t)stride[plane],
            .first = (uint32_t)left * step + (plane == 2 && surface->pairs),
            .step = step,
            .width = (uint32_t)width,
            .shift = (uint32_t)surface->shift,
        };
        gpu->ops->launch(gpu, FV_GPU_COMPUTE, bytes ? &fv_kernel_surface8 : &fv_kernel_surface16, &args,
                         (uint32_t)(width + WIDE - 1) / WIDE, (uint32_t)height, 1);
    }
}

static void record_sums(FvGpu *gpu, const FvFormat *format, uint64_t luma, ptrdiff_t stride, uint64_t sums)
{
    const bool bytes = fv_format_sample_bytes(format) == 1;
    const FvSignatureArgs args = {
        .luma = luma, .sums = sums, .stride = (uint32_t)stride, .width = format->width, .height = format->height};
    gpu->ops->barrier(gpu, FV_GPU_COMPUTE);
    gpu->ops->launch(gpu, FV_GPU_COMPUTE, bytes ? &fv_kernel_signature8 : &fv_kernel_signature16, &args,
                     FV_SIGNATURE_COLUMNS, FV_SIGNATURE_ROWS, 1);
}

FvStatus fv_gpu_surface_take(FvGpu *gpu, const FvGpuSurface *surface, const FvFormat *format, const uint64_t to[3],
                             const ptrdiff_t stride[3], FvError *error)
{
    uint64_t ticket;
    FvStatus status = gpu->ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    record_planes(gpu, surface, format, to, stride);
    if (surface->sums)
        record_sums(gpu, format, to[0], stride[0], surface->sums);
    status = gpu->ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : gpu->ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

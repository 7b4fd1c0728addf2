/* The layout of a frame's planes in device memory: one after the other, with the strides of fv_format_stride(). */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "picture/frame.h"

static inline void fv_gpu_planes(const FvFormat *format, uint64_t address, FvPlanes *planes)
{
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int height;
        fv_format_plane_size(format, plane, NULL, &height);
        planes->data[plane] = address;
        planes->stride[plane] = (uint32_t)fv_format_stride(format, plane);
        address += (uint64_t)planes->stride[plane] * (uint64_t)height;
    }
}

/*
 * CUDA's keywords and functions for Clang and AMD's GPUs, by Clang's builtins alone, without ROCm. Quotients and
 * roots are the exact ones of src/arith/, so a kernel uses only + - x, comparisons and conversions of the GPU's
 * floats.
 */
#ifndef FV_KERNEL_CLANG_HIP_H
#define FV_KERNEL_CLANG_HIP_H

#include <stddef.h>

#define FV_EXACT_QUOTIENTS
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
/* Workgroups have exactly this number of threads. The compiler decides how many workgroups fit a multiprocessor. */
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(threads, threads)))

#include "kernel/clang/common.h"

#define threadIdx (uint3{__builtin_amdgcn_workitem_id_x(), 0, 0})
#define blockIdx                                                                                                     \
    (uint3{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()})

FV_CLANG_FN void __syncthreads(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

FV_CLANG_FN unsigned atomicAdd(unsigned *place, unsigned value)
{
    return __hip_atomic_fetch_add(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

FV_CLANG_FN unsigned atomicOr(unsigned *place, unsigned value)
{
    return __hip_atomic_fetch_or(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

FV_CLANG_FN unsigned atomicMax(unsigned *place, unsigned value)
{
    return __hip_atomic_fetch_max(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#endif

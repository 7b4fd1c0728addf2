/*
 * CUDA's keywords and functions for Clang, if nvcc and its headers are missing: those that kernels and dialect.h use.
 * This folder also has the functions of the C library that src/arith/ uses, because kernels have no C library.
 */
#ifndef FV_KERNEL_CLANG_CUDA_H
#define FV_KERNEL_CLANG_CUDA_H

#include <stddef.h>

#define __CUDACC__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include "kernel/clang/common.h"

#define threadIdx (uint3{(unsigned)__nvvm_read_ptx_sreg_tid_x(), 0, 0})
#define blockIdx                                                                                                     \
    (uint3{(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y(),                       \
           (unsigned)__nvvm_read_ptx_sreg_ctaid_z()})

/*
 * In assembly: Clang would drop a conversion to the global address space and back, and with it the knowledge that the
 * pointer is global.
 */
typedef __attribute__((address_space(1))) char FvGlobal;
FV_CLANG_FN FvGlobal *__cvta_generic_to_global(const void *p)
{
    size_t address;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(address) : "l"(p));
    return (FvGlobal *)address;
}

FV_CLANG_FN void *__cvta_global_to_generic(FvGlobal *p)
{
    return (void *)p;
}

FV_CLANG_FN unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
    unsigned result;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}

FV_CLANG_FN unsigned atomicAdd(unsigned *place, unsigned value)
{
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

FV_CLANG_FN unsigned atomicOr(unsigned *place, unsigned value)
{
    return __atomic_fetch_or(place, value, __ATOMIC_RELAXED);
}

FV_CLANG_FN unsigned atomicMax(unsigned *place, unsigned value)
{
    return __nvvm_atom_max_gen_ui(place, value);
}

#endif

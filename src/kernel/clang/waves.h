/*
 * CUDA's keywords and functions for Clang and this computer's processor. A test runs a kernel's threads as a GPU
 * does: in waves, each up to the next barrier (tests/gpu/waves.c). Quotients and roots are computed as on AMD's GPUs.
 */
#ifndef FV_KERNEL_CLANG_WAVES_H
#define FV_KERNEL_CLANG_WAVES_H

#include <stddef.h>

#define FV_EXACT_QUOTIENTS
#define __device__
#define __shared__ __attribute__((section("fv_shared"))) /* the test fills this section with garbage */

#include "kernel/clang/common.h"

extern "C" unsigned fv_wave_thread, fv_wave_group[3];
extern "C" void fv_wave_barrier(void);

#define threadIdx (uint3{fv_wave_thread, 0, 0})
#define blockIdx (uint3{fv_wave_group[0], fv_wave_group[1], fv_wave_group[2]})
#define __syncthreads() fv_wave_barrier()

#define FV_KERNEL(name, Args, threads)                                                                               \
    static void run_thread(const Args &args);                                                                        \
    extern "C" void name(const Args *args)                                                                           \
    {                                                                                                                \
        run_thread(*args);                                                                                           \
    }                                                                                                                \
    static void run_thread(const Args &args)
#define FV_KERNEL_FITTED(name, Args, threads, groups) FV_KERNEL(name, Args, threads)

FV_CLANG_FN unsigned atomicAdd(unsigned *place, unsigned value)
{
    const unsigned before = *place;
    *place += value;
    return before;
}

FV_CLANG_FN unsigned atomicOr(unsigned *place, unsigned value)
{
    const unsigned before = *place;
    *place |= value;
    return before;
}

FV_CLANG_FN unsigned atomicMax(unsigned *place, unsigned value)
{
    const unsigned before = *place;
    *place = max(before, value);
    return before;
}

#endif

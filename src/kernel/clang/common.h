/*
 * CUDA's keywords and functions that are the same for all compilers except nvcc. The includer defines __device__
 * before.
 */
#ifndef FV_KERNEL_CLANG_COMMON_H
#define FV_KERNEL_CLANG_COMMON_H

#define __forceinline__ inline __attribute__((always_inline))
#define FV_CLANG_FN static __device__ __forceinline__

struct uint3 {
    unsigned x, y, z;
};
struct __attribute__((aligned(16))) uint4 {
    unsigned x, y, z, w;
};

FV_CLANG_FN int abs(int x)
{
    return x < 0 ? -x : x;
}

FV_CLANG_FN int min(int a, int b)
{
    return a < b ? a : b;
}

FV_CLANG_FN unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

FV_CLANG_FN int max(int a, int b)
{
    return a > b ? a : b;
}

FV_CLANG_FN unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

FV_CLANG_FN int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}

FV_CLANG_FN int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

#endif

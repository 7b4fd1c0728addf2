/*
 * The functions of <math.h> that src/arith/ uses, correctly rounded. Kernels with FV_EXACT_QUOTIENTS do not use the
 * root.
 */
#ifndef FV_KERNEL_CLANG_MATH_H
#define FV_KERNEL_CLANG_MATH_H

#ifdef __CUDA__
#define sqrtf(x) __nvvm_sqrt_rn_f(x)
#define sqrt(x) __nvvm_sqrt_rn_d(x)
#else
#define sqrtf(x) __builtin_sqrtf(x)
#define sqrt(x) __builtin_sqrt(x)
#endif

#endif

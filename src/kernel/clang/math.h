/* Of <math.h> what src/arith/ takes, correctly rounded: kernel/clang/cuda.h */
#ifndef FV_KERNEL_CLANG_MATH_H
#define FV_KERNEL_CLANG_MATH_H

#define sqrtf(x) __nvvm_sqrt_rn_f(x)
#define sqrt(x) __nvvm_sqrt_rn_d(x)

#endif

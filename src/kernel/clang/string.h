/* The functions of <string.h> that src/arith/ uses, because kernels have no C library. */
#ifndef FV_KERNEL_CLANG_STRING_H
#define FV_KERNEL_CLANG_STRING_H

#define memcpy(to, from, bytes) __builtin_memcpy(to, from, bytes)

#endif

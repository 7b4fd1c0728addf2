/* Operations of cpu/simd.h for WebAssembly for which clang 14 emits slow code. */
#pragma once

#include <wasm_simd128.h>

/*
 * The product of the low 32 bits of 64-bit lanes. Clang 14 compiles the intrinsic to a multiplication of whole lanes.
 */
#define FV_WASM_PRODUCT(Type, name, a, b)                                                                            \
    __extension__({                                                                                                  \
        v128_t product_;                                                                                             \
        __asm__("local.get %1\n\tlocal.get %2\n\t" name "\n\tlocal.set %0"                                           \
                : "=r"(product_)                                                                                     \
                : "r"(FV_LOW_WORDS(a)), "r"(FV_LOW_WORDS(b)));                                                       \
        (Type) product_;                                                                                             \
    })
#define FV_LOW_WORDS(v) ((v128_t)__builtin_shufflevector((fv_u32)(v), (fv_u32)(v), 0, 2, 0, 2))

/* Replaces fv_shr_equal() of arith/adm.h: clang 14 compiles a vector shift to one shift per lane. */
#define FV_OWN_SHIFT
#define fv_shr_equal(v, bits)                                                                                        \
    __extension__({                                                                                                  \
        v128_t shifted_;                                                                                             \
        __asm__("local.get %1\n\tlocal.get %2\n\ti64x2.shr_u\n\tlocal.set %0"                                        \
                : "=r"(shifted_)                                                                                     \
                : "r"((v128_t)(v)), "r"((uint32_t)(bits)[0]));                                                       \
        (fv_u64) shifted_;                                                                                           \
    })

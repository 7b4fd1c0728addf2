/* Defines the getters of the kernel families: each returns the kernels for an instruction set. */
#include "base/isa.h"

#if FV_ARCH_X86
#define FAMILY(Type, name)                                                                                           \
    const Type *name(FvIsa isa)                                                                                      \
    {                                                                                                                \
        static const Type *const kernels[FV_ISA_COUNT] = {&name##_scalar, FV_BUILT_SSE2 ? &name##_sse2 : NULL,       \
                                                          FV_BUILT_AVX2 ? &name##_avx2 : NULL,                       \
                                                          FV_BUILT_AVX512 ? &name##_avx512 : NULL};                  \
        return kernels[isa];                                                                                         \
    }
#elif FV_ARCH_AARCH64
#define FAMILY(Type, name)                                                                                           \
    const Type *name(FvIsa isa)                                                                                      \
    {                                                                                                                \
        return isa == FV_ISA_NEON ? &name##_neon : &name##_scalar;                                                   \
    }
#elif FV_ARCH_WASM
#define FAMILY(Type, name)                                                                                           \
    const Type *name(FvIsa isa)                                                                                      \
    {                                                                                                                \
        return isa == FV_ISA_SIMD128 ? &name##_simd128 : &name##_scalar;                                             \
    }
#else
#define FAMILY(Type, name)                                                                                           \
    const Type *name(FvIsa isa)                                                                                      \
    {                                                                                                                \
        (void)isa;                                                                                                   \
        return &name##_scalar;                                                                                       \
    }
#endif

/* In this file, FV_FAMILY in the headers defines the getter instead of declaring it. */
#undef FV_FAMILY
#define FV_FAMILY(Type, name)                                                                                        \
    extern const Type name##_scalar, name##_sse2, name##_avx2, name##_avx512, name##_neon, name##_simd128;           \
    const Type *name(FvIsa isa);                                                                                     \
    FAMILY(Type, name)

#include "family_list.h"

/* Instruction sets of the CPU device, and the dispatch of kernel families compiled once per set. */
#pragma once

#include "config.h"
#include "fovea/fovea.h"

/* Instruction sets, in ascending order of preference. */
typedef enum FvIsa {
    FV_ISA_SCALAR = 0, /* the reference: plain C, one sample at a time */
    FV_ISA_SSE2,
    FV_ISA_AVX2,
    FV_ISA_AVX512, /* F, BW, DQ, VL, VBMI, BITALG, VPOPCNTDQ and VNNI: Ice Lake, Zen 4 and later */
    FV_ISA_NEON,
    FV_ISA_SIMD128, /* WebAssembly */
    FV_ISA_COUNT
} FvIsa;

/*
 * FV_BUILT_X: whether the program contains the kernels of set X. A program built for this machine alone contains
 * those of its best set only.
 */
#ifndef FV_BUILT_SSE2
#define FV_BUILT_SSE2 1
#endif
#ifndef FV_BUILT_AVX2
#define FV_BUILT_AVX2 1
#endif
#ifndef FV_BUILT_AVX512
#define FV_BUILT_AVX512 1
#endif

const char *fv_isa_name(FvIsa isa);

/* Returns whether a set is compiled in and supported by this processor. */
bool fv_isa_usable(FvIsa isa);

/* Returns the most preferred usable set. */
FvIsa fv_isa_best(void);

/*
 * Parses the name of a set; NULL and "auto" give fv_isa_best(). FV_ERROR_USAGE: there is no such name.
 * FV_ERROR_DEVICE: the set is not usable.
 */
FvStatus fv_isa_parse(const char *name, FvIsa *isa, FvError *error);

/*
 * A kernel family is a struct of function pointers. FV_FAMILY(FvPsnrKernels, fv_psnr_kernels) in a header declares
 * the getter `const FvPsnrKernels *fv_psnr_kernels(FvIsa isa)` and one constant struct per set; cpu/families.c
 * defines the getters. The scalar struct is defined in cpu/scalar/<noun>.c, the others by cpu/<noun>.c, which
 * is compiled once per set and names its struct FV_ISA_STRUCT(fv_psnr_kernels).
 */
#define FV_FAMILY(Type, name)                                                                                        \
    extern const Type name##_scalar, name##_sse2, name##_avx2, name##_avx512, name##_neon, name##_simd128;           \
    const Type *name(FvIsa isa);

#define FV_ISA_PASTE2(name, isa) name##_##isa
#define FV_ISA_PASTE(name, isa) FV_ISA_PASTE2(name, isa)
#define FV_ISA_STRUCT(name) FV_ISA_PASTE(name, FV_ISA)

#include "base/isa.h"

#include <string.h>

#include "base/error.h"

static const char *const names[FV_ISA_COUNT] = {"scalar", "sse2", "avx2", "avx512", "neon", "simd128"};

const char *fv_isa_name(FvIsa isa)
{
    return names[isa];
}

bool fv_isa_usable(FvIsa isa)
{
    switch (isa) {
    case FV_ISA_SCALAR:
        return true;
#if FV_ARCH_X86
    case FV_ISA_SSE2:
        return FV_BUILT_SSE2;
    case FV_ISA_AVX2:
        return FV_BUILT_AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2");
    case FV_ISA_AVX512:
        return FV_BUILT_AVX512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bitalg") &&
               __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vnni");
#endif
#if FV_ARCH_WASM
    case FV_ISA_SIMD128:
        return true;
#endif
#if FV_ARCH_AARCH64
    case FV_ISA_NEON:
        return true;
#endif
    default:
        return false;
    }
}

FvIsa fv_isa_best(void)
{
    int best = FV_ISA_COUNT - 1;
    while (!fv_isa_usable(best))
        best--;
    return best;
}

FvStatus fv_isa_parse(const char *name, FvIsa *isa, FvError *error)
{
    if (!name || !strcmp(name, "auto")) {
        *isa = fv_isa_best();
        return FV_OK;
    }
    for (int i = 0; i < FV_ISA_COUNT; i++) {
        if (strcmp(name, names[i]))
            continue;
        if (!fv_isa_usable(i))
            return fv_fail(error, FV_ERROR_DEVICE,
                           "this processor or build cannot run instruction set '%s'; the best it has is '%s'", name,
                           fv_isa_name(fv_isa_best()));
        *isa = i;
        return FV_OK;
    }
    return fv_fail(error, FV_ERROR_USAGE,
                   "unknown instruction set '%s': use auto, scalar, sse2, avx2, avx512, neon or simd128", name);
}

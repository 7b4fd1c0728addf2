/* Only the kernels that need no compiler flags: the fuzzer is compiled in one go. */
#include "cpu/prores.h"

const FvProresKernels *fv_prores_kernels(FvIsa isa)
{
#if FV_ARCH_X86
    return isa == FV_ISA_SCALAR ? &fv_prores_kernels_scalar : &fv_prores_kernels_sse2;
#elif FV_ARCH_AARCH64
    return isa == FV_ISA_SCALAR ? &fv_prores_kernels_scalar : &fv_prores_kernels_neon;
#else
    return &fv_prores_kernels_scalar;
#endif
}

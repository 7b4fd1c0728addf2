/* The list of kernel families: for each, the getter that maps an instruction set to its struct. */
#include "cpu/adm.h"
#include "cpu/butteraugli.h"
#include "cpu/cambi.h"
#include "cpu/check.h"
#include "cpu/ciede.h"
#include "cpu/cvvdp.h"
#include "cpu/depth.h"
#include "cpu/light.h"
#include "cpu/motion.h"
#include "cpu/prores.h"
#include "cpu/psnr.h"
#include "cpu/psnr_hvs.h"
#include "cpu/pu21.h"
#include "cpu/scale.h"
#include "cpu/speed.h"
#include "cpu/ssim.h"
#include "cpu/ssimulacra2.h"
#include "cpu/vdm.h"
#include "cpu/vif.h"
#include "cpu/xpsnr.h"
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
#else
#define FAMILY(Type, name)                                                                                           \
    const Type *name(FvIsa isa)                                                                                      \
    {                                                                                                                \
        (void)isa;                                                                                                   \
        return &name##_scalar;                                                                                       \
    }
#endif

FAMILY(FvAdmKernels, fv_adm_kernels)
FAMILY(FvButterKernels, fv_butter_kernels)
FAMILY(FvCambiKernels, fv_cambi_kernels)
FAMILY(FvCheckKernels, fv_check_kernels)
FAMILY(FvCvvdpKernels, fv_cvvdp_kernels)
FAMILY(FvDepthKernels, fv_depth_kernels)
FAMILY(FvMotionKernels, fv_motion_kernels)
FAMILY(FvHvsKernels, fv_hvs_kernels)
FAMILY(FvCiedeKernels, fv_ciede_kernels)
FAMILY(FvProresKernels, fv_prores_kernels)
FAMILY(FvPsnrKernels, fv_psnr_kernels)
FAMILY(FvPuKernels, fv_pu_kernels)
FAMILY(FvScaleKernels, fv_scale_kernels)
FAMILY(FvSpeedKernels, fv_speed_kernels)
FAMILY(FvLightKernels, fv_light_kernels)
FAMILY(FvSs2Kernels, fv_ss2_kernels)
FAMILY(FvSsimKernels, fv_ssim_kernels)
FAMILY(FvVdmKernels, fv_vdm_kernels)
FAMILY(FvVifKernels, fv_vif_kernels)
FAMILY(FvXpsnrKernels, fv_xpsnr_kernels)

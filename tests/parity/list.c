/* The nouns whose kernels are compared and measured. A new one is two lines here. */
#include "parity.h"

extern const ParityKernel parity_adm[];
extern const ParityKernel parity_butteraugli[];
extern const ParityKernel parity_cambi[];
extern const ParityKernel parity_check[];
extern const ParityKernel parity_ciede[];
extern const ParityKernel parity_cvvdp[];
extern const ParityKernel parity_depth[];
extern const ParityKernel parity_motion[];
extern const ParityKernel parity_prores[];
extern const ParityKernel parity_psnr[];
extern const ParityKernel parity_psnr_hvs[];
extern const ParityKernel parity_pu21[];
extern const ParityKernel parity_scale[];
extern const ParityKernel parity_speed[];
extern const ParityKernel parity_ssim[];
extern const ParityKernel parity_ssimulacra2[];
extern const ParityKernel parity_vdm[];
extern const ParityKernel parity_vif[];
extern const ParityKernel parity_xpsnr[];

/* clang-format off */
const ParityKernel *const parity_nouns[] = {
    parity_adm,
    parity_butteraugli,
    parity_cambi,
    parity_check,
    parity_ciede,
    parity_cvvdp,
    parity_depth,
    parity_motion,
    parity_prores,
    parity_psnr,
    parity_psnr_hvs,
    parity_pu21,
    parity_scale,
    parity_speed,
    parity_ssim,
    parity_ssimulacra2,
    parity_vdm,
    parity_vif,
    parity_xpsnr,
    NULL,
};
/* clang-format on */

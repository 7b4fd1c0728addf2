/* The nouns whose kernels are compared and measured. A new one is two lines here. */
#include "parity.h"

extern const ParityKernel parity_psnr[];

const ParityKernel *const parity_nouns[] = {
    parity_psnr,
    NULL,
};

#include "cpu/adm.h"
const FvAdmKernels FV_ISA_STRUCT(fv_adm_kernels) = {.rows = 0};

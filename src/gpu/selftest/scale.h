/* Pictures that are prepared on a GPU against the same ones prepared in scalar C. */
#ifndef FV_GPU_SELFTEST_SCALE_H
#define FV_GPU_SELFTEST_SCALE_H

#include "gpu/selftest/verdicts.h"

FvGpuVerdict fv_gpu_verify_scaling(FvGpu *gpu, char *why, size_t size);

#endif

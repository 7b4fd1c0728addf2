/* Pictures that are prepared on a GPU against the same ones prepared in scalar C. */
#pragma once

#include "gpu/selftest/verdicts.h"

FvTestVerdict fv_gpu_verify_scaling(FvGpu *gpu, char *why, size_t size);

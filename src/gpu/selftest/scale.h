/* Compares frames prepared on a GPU with the same frames prepared in scalar C. */
#pragma once

#include "gpu/selftest/verdicts.h"

FvTestVerdict fv_gpu_verify_scaling(FvGpu *gpu, char *why, size_t size);

/* Compares frames prepared on a GPU with the same frames prepared in scalar C. */
#pragma once

#include "gpu/selftest/verdicts.h"

/* Runs one case of the test, as FvGpuSkill.verify does. */
FvTestVerdict fv_gpu_verify_scaling(FvGpu *gpu, int number, char *why, size_t size);

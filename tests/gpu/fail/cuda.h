/* Functions of CUDA implemented with the machine of host memory (machine.h); most of AMD's are the same (hip.c). */
#pragma once

#include "gpu/cuda/driver.h"

extern const CudaDriver failing_cuda_table;

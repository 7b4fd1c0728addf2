/* Functions of CUDA implemented with the machine of host memory (machine.h). The imitation of AMD's driver (hip.c)
 * reuses most of them. */
#pragma once

#include "gpu/cuda/driver.h"

extern const CudaDriver failing_cuda_table;

/* NVIDIA's functions over the machine of host memory; AMD's are most of the same (hip.c). */
#pragma once

#include "gpu/cuda/driver.h"

extern const CudaDriver failing_cuda_table;

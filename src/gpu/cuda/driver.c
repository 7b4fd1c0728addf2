#include "gpu/cuda/driver.h"

#include <stdio.h>

const CudaDriver *fv_cuda_driver(const CudaVendor *vendor, char *absent, size_t size)
{
    CudaLibrary *library = vendor->library;
    fv_once(&library->once, library->load);
    if (!library->usable && absent)
        snprintf(absent, size, "%s", library->reason);
    return library->usable ? &library->functions : NULL;
}

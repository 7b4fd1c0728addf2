#include "os/memory.h"

#include <stdlib.h>

void *fv_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - FV_ALIGN)
        return NULL;
    return aligned_alloc(FV_ALIGN, bytes ? FV_ROUND_UP(bytes, FV_ALIGN) : FV_ALIGN);
}

void fv_free(void *block)
{
    free(block);
}

/* Returns the size of the memory that 32-bit addresses can reach. */
uint64_t fv_memory_installed(void)
{
    return (uint64_t)1 << 32;
}

/* Windows: allocates ordinary pages only, because large pages need a right that ordinary users lack. */
#include "os/memory.h"

#include <malloc.h>
#include <windows.h>

void *fv_alloc(size_t bytes)
{
    return bytes > SIZE_MAX - FV_ALIGN ? NULL
                                       : _aligned_malloc(bytes ? FV_ROUND_UP(bytes, FV_ALIGN) : FV_ALIGN, FV_ALIGN);
}

void fv_free(void *block)
{
    _aligned_free(block);
}

uint64_t fv_memory_installed(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

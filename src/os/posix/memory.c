#include "os/memory.h"

#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define LARGE_PAGE ((size_t)2 << 20)

#define NEARLY (LARGE_PAGE / 4) /* maximum bytes that may stay unused at the end of the last large page */

/*
 * Allocates a block in large pages, because kernels read planes and tables column by column: with ordinary pages,
 * nearly every row would need its own TLB entry. A last large page that is nearly full is allocated completely;
 * otherwise the rest gets ordinary pages.
 */
static void *alloc_large(size_t bytes)
{
    const size_t whole = (bytes + NEARLY) / LARGE_PAGE * LARGE_PAGE;
    void *block;
    if (posix_memalign(&block, LARGE_PAGE, whole > bytes ? whole : bytes)) /* aligned_alloc() requires whole pages */
        return NULL;
#if defined(__linux__)
    madvise(block, whole, MADV_HUGEPAGE); /* has no effect on systems without huge pages */
#endif
    return block;
}

void *fv_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - FV_ALIGN)
        return NULL;
    bytes = bytes ? FV_ROUND_UP(bytes, FV_ALIGN) : FV_ALIGN;
    return bytes < LARGE_PAGE ? aligned_alloc(FV_ALIGN, bytes) : alloc_large(bytes);
}

void fv_free(void *block)
{
    free(block);
}

uint64_t fv_memory_installed(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

#include "os/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define LARGE_PAGE ((size_t)2 << 20)

#define NEARLY (LARGE_PAGE / 4) /* may be unused at the end of the last large page */

/*
 * Planes and tables are walked down by columns: with ordinary pages most rows would need an entry of the TLB. A last
 * large page that is nearly full is taken whole; otherwise the rest stays with ordinary pages.
 */
static void *alloc_large(size_t bytes)
{
    const size_t whole = (bytes + NEARLY) / LARGE_PAGE * LARGE_PAGE;
    void *block;
    if (posix_memalign(&block, LARGE_PAGE, whole > bytes ? whole : bytes)) /* aligned_alloc wants whole pages */
        return NULL;
#if defined(__linux__)
    madvise(block, whole, MADV_HUGEPAGE); /* where the system has none, nothing changes */
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

void *fv_alloc_zero(size_t bytes)
{
    void *block = fv_alloc(bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

void fv_free(void *block)
{
    free(block);
}

bool fv_multiply_size(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* The first allocation of a thread may try a place in vain that the next one does not try again. */
void fv_memory_watch(void)
{
    free(malloc(1));
    errno = 0;
}

bool fv_memory_failed(void)
{
    return errno == ENOMEM;
}

uint64_t fv_memory_installed(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

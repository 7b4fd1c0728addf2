#include "os/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *fv_alloc_zero(size_t bytes)
{
    void *block = fv_alloc(bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

bool fv_multiply_size(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/*
 * Allocates once first: the C library may need memory for a thread's first allocation, and if it fails only then, the
 * caller would not notice.
 */
void fv_memory_watch(void)
{
    free(malloc(1));
    errno = 0;
}

bool fv_memory_failed(void)
{
    return errno == ENOMEM;
}

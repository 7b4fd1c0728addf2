#include "mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *fv_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - FV_ALIGN)
        return NULL;
    return aligned_alloc(FV_ALIGN, bytes ? FV_ROUND_UP(bytes, FV_ALIGN) : FV_ALIGN);
}

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

/* Allocates aligned blocks of memory, and checks sizes against overflow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FV_ALIGN 64 /* alignment of every block in bytes */
#define FV_ROUND_UP(n, to) (((n) + (to)-1) / (to) * (to))

/*
 * Allocates a block aligned to 64 bytes, which fv_free() releases; NULL: out of memory. A size of 0 gives a valid
 * pointer.
 */
void *fv_alloc(size_t bytes);

/* Allocates memory filled with zeros. */
void *fv_alloc_zero(size_t bytes);

/* Reserves bytes of a block whose first *used bytes, a multiple of FV_ALIGN, are taken. Returns their offset. */
static inline size_t fv_reserve(size_t *used, size_t bytes)
{
    const size_t at = *used;
    *used = FV_ROUND_UP(at + bytes, FV_ALIGN);
    return at;
}

/* Releases a block of fv_alloc() or fv_alloc_zero(). NULL is ignored. */
void fv_free(void *block);

/* Sets *product to a * b; false on overflow. */
bool fv_multiply_size(size_t a, size_t b, size_t *product);

/*
 * Report whether an allocation failed in this thread, in any library, since the thread called fv_memory_watch(): some
 * libraries continue without the memory and lose data.
 */
void fv_memory_watch(void);
bool fv_memory_failed(void);

/* Returns the bytes of memory in this machine. */
uint64_t fv_memory_installed(void);

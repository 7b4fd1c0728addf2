/*
 * Large blocks of host memory for a GPU, with all pages present: the first touch of a page costs more than reading
 * it.
 */
#pragma once

#include <stddef.h>

/* Minimum bytes of a block; smaller blocks gain nothing. */
#define FV_PAGES_LEAST ((size_t)2 << 20)

/*
 * Allocates memory in large pages, if the system has them, and lets several threads touch it. Returns NULL if memory
 * runs out. Free it with fv_free().
 */
void *fv_pages_alloc(size_t bytes);

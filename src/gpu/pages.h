/* Large blocks of host memory for a GPU, with all pages present: touching a page first costs more than reading it. */
#pragma once

#include <stddef.h>

/* Bytes; smaller blocks gain nothing. */
#define FV_PAGES_LEAST ((size_t)2 << 20)

/* Memory in large pages where the system has them, touched by several threads; NULL without memory. Ends with
 * fv_free(). */
void *fv_pages_alloc(size_t bytes);

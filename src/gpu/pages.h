/* Large blocks of host memory for a GPU, which is there at once: the first touch of a page costs more than reading
 * it. */
#ifndef FV_GPU_PAGES_H
#define FV_GPU_PAGES_H

#include <stddef.h>

/* Of blocks below this, in bytes, nothing is gained. */
#define FV_PAGES_LEAST ((size_t)2 << 20)

/* Memory in large pages where the system has them, touched by several threads; NULL: there is none. Ends with
 * fv_free(). */
void *fv_pages_alloc(size_t bytes);

#endif

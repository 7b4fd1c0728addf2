#include "gpu/pages.h"

#include <stdint.h>

#include "os/memory.h"
#include "os/processors.h"
#include "os/workers.h"

#define PART FV_PAGES_LEAST /* bytes that one thread touches at a time */
#define PAGE 4096
#define MOST_THREADS 8 /* maximum number of threads that touch one block */

typedef struct Pages {
    uint8_t *block;
    size_t bytes;
} Pages;

static void touch(void *opaque, int part, int worker)
{
    const Pages *pages = opaque;
    const size_t first = (size_t)part * PART, end = first + PART < pages->bytes ? first + PART : pages->bytes;
    for (size_t at = first; at < end; at += PAGE)
        ((volatile uint8_t *)pages->block)[at] = 0;
}

void *fv_pages_alloc(size_t bytes)
{
    Pages pages = {fv_alloc(bytes), bytes};
    const int parts = (int)((bytes + PART - 1) / PART);
    const int processors = fv_processors();
    const int most = parts < MOST_THREADS ? parts : MOST_THREADS;
    FvWorkers *workers = NULL;
    if (!pages.block)
        return NULL;
    if (fv_workers_open(&workers, processors < most ? processors : most, NULL))
        return pages.block; /* without threads, the first user of the block touches its pages */
    fv_workers_run(workers, parts, touch, &pages);
    fv_workers_close(&workers);
    return pages.block;
}

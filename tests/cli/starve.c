/*
 * A library preloaded into the command. It fails allocation number STARVE_AT, whichever library requests it; 0: none.
 * With STARVE_STOP, it instead sends the process the signal of that number. At the end it writes the number of all
 * allocations to the file that STARVE_COUNT names. Thread number STARVE_THREAD, and all later ones, cannot be
 * started.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default) /* the functions replace those of the C library */

static atomic_long calls;
static long failing;
static bool counting;
static int stop;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* libav loads GLib, which aborts or deadlocks when memory runs out while it is loaded. */
static bool is_spared(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libglib");
}

static bool fails(const void *caller)
{
    if (!counting || is_spared(caller) || atomic_fetch_add(&calls, 1) + 1 != failing)
        return false;
    if (stop) {
        raise(stop);
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *got = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (!got)
        return ENOMEM;
    *block = got;
    return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *opaque)
{
    static int (*start)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static atomic_int threads;
    const char *most = getenv("STARVE_THREAD");
    if (!start)
        *(void **)&start = dlsym(RTLD_NEXT, "pthread_create");
    if (most && atomic_fetch_add(&threads, 1) + 1 >= atoi(most))
        return EAGAIN;
    return start(thread, attributes, run, opaque);
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("STARVE_AT");
    failing = at ? atol(at) : 0;
    const char *number = getenv("STARVE_STOP");
    stop = number ? atoi(number) : 0;
    counting = at;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("STARVE_COUNT");
    counting = false;
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0) {
        dprintf(fd, "%ld\n", calls);
        close(fd);
    }
}

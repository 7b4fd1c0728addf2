/*
 * Replaces calls for memory, files and threads (the linker's -Wl,--wrap=NAME redirects them here). While `counting`,
 * the call that brings `countdown` to 0 fails. With `only_threads`, calls for threads alone count down.
 */
#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long countdown; /* number of calls until one fails: 1 is the next call; 0 or less: none fails */
static atomic_long calls;
static atomic_bool counting, only_threads;

static bool fails(const char *name)
{
    if (!counting)
        return false;
    calls++;
    if (only_threads && strcmp(name, "pthread_create") != 0)
        return false;
    return atomic_fetch_sub(&countdown, 1) == 1;
}

#define WRAP(type, name, parameters, arguments, failure)                                                             \
    type __real_##name parameters;                                                                                   \
    type __wrap_##name parameters;                                                                                   \
    type __wrap_##name parameters                                                                                    \
    {                                                                                                                \
        if (!fails(#name))                                                                                           \
            return __real_##name arguments;                                                                          \
        errno = ENOMEM;                                                                                              \
        return failure;                                                                                              \
    }

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP(void *, realloc, (void *block, size_t size), (block, size), NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)
WRAP(int, posix_memalign, (void **block, size_t alignment, size_t size), (block, alignment, size), ENOMEM)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(char *, strndup, (const char *text, size_t length), (text, length), NULL)
WRAP(char *, realpath, (const char *path, char *resolved), (path, resolved), NULL)
WRAP(FILE *, fopencookie, (void *cookie, const char *mode, cookie_io_functions_t functions),
     (cookie, mode, functions), NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
     (thread, attributes, start, argument), EAGAIN)

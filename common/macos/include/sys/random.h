#pragma once

#include_next <sys/random.h>
#include <sys/types.h>

/* Fills up to 256 bytes. */
static inline ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    return (void)flags, getentropy(bytes, size) ? -1 : (ssize_t)size;
}

#pragma once

#include <errno.h>

#define LOCK_EX 2
#define LOCK_NB 4

/* Folders have no locks here. */
static inline int flock(int fd, int operation)
{
    return (void)fd, (void)operation, errno = ENOLCK, -1;
}

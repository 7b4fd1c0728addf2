#pragma once

#include <errno.h>

#define LOCK_EX 2
#define LOCK_NB 4

/* Windows has no locks of folders. */
static inline int flock(int fd, int operation)
{
    return (void)fd, (void)operation, errno = ENOLCK, -1;
}

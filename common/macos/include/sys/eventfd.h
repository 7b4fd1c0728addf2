/* A descriptor that poll() finds readable after eventfd_write(). Nothing reads from it. */
#pragma once

#include <stdint.h>

enum { EFD_CLOEXEC = 1, EFD_NONBLOCK = 2 };

int eventfd(unsigned value, int flags);
int eventfd_write(int fd, uint64_t value);

#pragma once

#include_next <unistd.h>

/* Also reads /proc/self/exe, the path of the program. */
ssize_t macos_readlink(const char *path, char *link, size_t size);
#define readlink macos_readlink

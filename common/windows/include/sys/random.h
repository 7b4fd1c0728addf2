#pragma once

#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t size, unsigned flags);

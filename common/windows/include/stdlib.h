#pragma once

#include_next <stdlib.h>

static inline int setenv(const char *name, const char *value, int replace)
{
    return !replace && getenv(name) ? 0 : _putenv_s(name, value);
}

#pragma once

#include_next <stdlib.h>

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

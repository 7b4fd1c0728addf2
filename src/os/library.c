#include "os/library.h"

#include <dlfcn.h>

void *fv_library_open(const char *file)
{
    return dlopen(file, RTLD_LAZY | RTLD_LOCAL);
}

void *fv_library_find(void *library, const char *function)
{
    return dlsym(library, function);
}

const char *fv_library_error(void)
{
    return dlerror();
}

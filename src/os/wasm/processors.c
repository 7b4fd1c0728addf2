/* WebAssembly: a module has one thread. To use more processors, the host runs more modules. */
#include "os/processors.h"

#include <stdio.h>

int fv_processors_quota(const char *root)
{
    return 0;
}

int fv_processors(void)
{
    return 1;
}

void fv_processor_title(char *title, size_t size)
{
    snprintf(title, size, "WebAssembly");
}

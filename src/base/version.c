#include "config.h"
#include "fovea/fovea.h"

const char *fv_version(void)
{
    return FV_VERSION;
}

int fv_numerics_version(void)
{
    return 3;
}

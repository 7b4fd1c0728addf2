/* Compiles each header of libvmaf's interface alone, in strict C11. */
#include "libvmaf/version.h"

#include "libvmaf/feature.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/model.h"
#include "picture.h"

#include "libvmaf/libvmaf.h"

const char *libvmaf_header(void);

const char *libvmaf_header(void)
{
    return vmaf_version();
}

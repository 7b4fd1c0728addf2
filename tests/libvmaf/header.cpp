// Compiles the headers of libvmaf's interface in C++17.
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/version.h"

const char *libvmaf_header_cpp(VmafContext *context)
{
    return vmaf_close(context) ? "" : vmaf_version();
}

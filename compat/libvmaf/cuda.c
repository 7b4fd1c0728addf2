/* Pictures in CUDA's memory, which are not taken. */
#include <errno.h>
#include <stddef.h>

#include "libvmaf/libvmaf_cuda.h"
#include "log.h"

static int refuse(void)
{
    lv_log(VMAF_LOG_LEVEL_ERROR, "pictures in CUDA's memory are not taken: read them in host memory, and let "
                                 "FOVEA_DEVICE=cuda score them on the GPU");
    return -EINVAL;
}

int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg)
{
    (void)cfg;
    if (cu_state)
        *cu_state = NULL;
    return refuse();
}

int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state)
{
    (void)vmaf, (void)cu_state;
    return refuse();
}

int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg)
{
    (void)vmaf, (void)cfg;
    return refuse();
}

int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic)
{
    (void)vmaf, (void)pic;
    return refuse();
}

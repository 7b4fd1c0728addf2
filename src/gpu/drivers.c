#include "gpu/drivers.h"

#include "gpu/device.h"
#include "gpu/selftest/selftest.h"

#define DEVICE(NAME)                                                                                                 \
    static FvStatus open_##NAME(FvDevice **device, const FvDeviceParams *params, FvError *error)                     \
    {                                                                                                                \
        return fv_gpu_device_open(device, &fv_device_##NAME, &fv_gpu_##NAME, params, error);                         \
    }                                                                                                                \
                                                                                                                     \
    const FvDeviceOps fv_device_##NAME = {                                                                           \
        .kind = #NAME,                                                                                               \
        .decodes = fv_gpu_device_decodes,                                                                            \
        .open = open_##NAME,                                                                                         \
        .in_flight = fv_gpu_device_in_flight,                                                                        \
        .prepares = fv_gpu_device_prepares,                                                                          \
        .expect = fv_gpu_device_expect,                                                                              \
        .supports = fv_gpu_device_trusted,                                                                           \
        .start = fv_gpu_device_start,                                                                                \
        .submit = fv_gpu_device_submit,                                                                              \
        .wait = fv_gpu_device_wait,                                                                                  \
        .frame = fv_gpu_device_frame,                                                                                \
        .feed = fv_gpu_device_feed,                                                                                  \
        .packet = fv_gpu_device_packet,                                                                              \
        .wrap = fv_gpu_device_wrap,                                                                                  \
        .pixels = fv_gpu_device_pixels,                                                                              \
        .handles = fv_gpu_device_handles,                                                                            \
        .room = fv_gpu_device_room,                                                                                  \
        .close = fv_gpu_device_close,                                                                                \
    };

#if FV_HAVE_VULKAN
DEVICE(vulkan)
#endif
#if FV_HAVE_CUDA
DEVICE(cuda)
#endif
#if FV_HAVE_HIP
DEVICE(hip)
#endif

const FvDriver fv_gpu_drivers[] = {
#if FV_HAVE_CUDA
    {&fv_device_cuda, &fv_gpu_cuda},
#endif
#if FV_HAVE_VULKAN
    {&fv_device_vulkan, &fv_gpu_vulkan},
#endif
#if FV_HAVE_HIP
    {&fv_device_hip, &fv_gpu_hip},
#endif
    {NULL, NULL},
};

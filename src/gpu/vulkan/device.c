/* Vulkan as a device of a session. */
#include "devices.h"
#include "gpu/batches.h"

static FvStatus open_device(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    return fv_gpu_device_open(device, &fv_device_vulkan, &fv_gpu_vulkan, fv_device_index(params->name), error);
}

const FvDeviceOps fv_device_vulkan = {
    .kind = "vulkan",
    .decodes = true,
    .open = open_device,
    .in_flight = fv_gpu_device_in_flight,
    .supports = fv_gpu_device_supports,
    .start = fv_gpu_device_start,
    .submit = fv_gpu_device_submit,
    .wait = fv_gpu_device_wait,
    .frame = fv_gpu_device_frame,
    .wrap = fv_gpu_device_wrap,
    .handles = fv_gpu_device_handles,
    .close = fv_gpu_device_close,
};

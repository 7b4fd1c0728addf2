/* The drivers of GPUs as devices of a session. */
#ifndef FV_GPU_DRIVERS_H
#define FV_GPU_DRIVERS_H

#include "device/device.h"

extern const FvDeviceOps fv_device_vulkan, fv_device_cuda;

#endif

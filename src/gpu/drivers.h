/* The drivers of GPUs as devices of a session. */
#pragma once

#include "device/device.h"

extern const FvDeviceOps fv_device_vulkan, fv_device_cuda, fv_device_hip;

/* A kind of GPU that this build knows. */
typedef struct FvDriver {
    const FvDeviceOps *device;
    const struct FvGpuOps *driver;
} FvDriver;

/* All of this build, in the order in which "auto" tries them; the last one is NULL. */
extern const FvDriver fv_gpu_drivers[];

/* The GPU drivers as devices of a session. */
#pragma once

#include "device/device.h"

extern const FvDeviceOps fv_device_vulkan, fv_device_cuda, fv_device_hip;

/* A GPU driver in this build. */
typedef struct FvDriver {
    const FvDeviceOps *device;
    const struct FvGpuOps *driver;
} FvDriver;

/* The drivers in this build, in the order in which "auto" tries them; the last one is NULL. */
extern const FvDriver fv_gpu_drivers[];

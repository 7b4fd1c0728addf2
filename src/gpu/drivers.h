/* The drivers of GPUs as devices of a session. */
#pragma once

#include "device/device.h"

extern const FvDeviceOps fv_device_vulkan, fv_device_cuda;

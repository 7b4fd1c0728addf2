/* Loads libvulkan at run time, so the same program runs on systems without it. */
#define VOLK_IMPLEMENTATION
#include "gpu/vulkan/vulkan.h"

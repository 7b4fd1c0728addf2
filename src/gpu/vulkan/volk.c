/* The loader: libvulkan is opened at run time, so the same program runs where there is none. */
#define VOLK_IMPLEMENTATION
#include "gpu/vulkan/vulkan.h"

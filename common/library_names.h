/* The files of libraries that are opened at run time. */
#pragma once

#if defined(_WIN32)
#define FV_LIBRARY_CUDA "nvcuda.dll"
#define FV_LIBRARY_VULKAN "vulkan-1.dll"
#define FV_LIBRARY_FILE(name, version) name "-" version ".dll"
#else
#define FV_LIBRARY_CUDA "libcuda.so.1"
#define FV_LIBRARY_VULKAN "libvulkan.so.1"
#define FV_LIBRARY_FILE(name, version) "lib" name ".so." version
#endif

/* File names of the libraries that are opened at run time. */
#pragma once

#if defined(_WIN32)
#define FV_LIBRARY_CUDA "nvcuda.dll"
#define FV_LIBRARY_HIP "amdhip64.dll"
#define FV_LIBRARIES_HIP "amdhip64_7.dll", "amdhip64_6.dll", FV_LIBRARY_HIP
#define FV_LIBRARY_VULKAN "vulkan-1.dll"
#define FV_LIBRARY_FILE(name, version) name "-" version ".dll"
#elif defined(__APPLE__)
#define FV_LIBRARY_CUDA "libcuda.dylib"
#define FV_LIBRARY_HIP "libamdhip64.dylib"
#define FV_LIBRARIES_HIP FV_LIBRARY_HIP
#define FV_LIBRARY_VULKAN "libvulkan.1.dylib"
#define FV_LIBRARY_FILE(name, version) "lib" name "." version ".dylib"
#else
#define FV_LIBRARY_CUDA "libcuda.so.1"
#define FV_LIBRARY_HIP "libamdhip64.so"
#define FV_LIBRARIES_HIP FV_LIBRARY_HIP ".7", FV_LIBRARY_HIP ".6", FV_LIBRARY_HIP ".5"
#define FV_LIBRARY_VULKAN "libvulkan.so.1"
#define FV_LIBRARY_FILE(name, version) "lib" name ".so." version
#endif

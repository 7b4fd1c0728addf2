/*
 * The version of libvmaf whose interface this library implements.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 */
#ifndef LIBVMAF_VERSION_H
#define LIBVMAF_VERSION_H

#define VMAF_API_VERSION_MAJOR 3
#define VMAF_API_VERSION_MINOR 2
#define VMAF_API_VERSION_PATCH 0

#endif

/*
 * Memory for packets of compressed video. A device that decodes can allocate memory that it reads directly, so that a
 * packet is copied only once, from the file, before its upload.
 */
#pragma once

#include "fovea/fovea.h"

typedef struct FvPacketMemory {
    uint8_t *bytes;
    const void *owner;             /* the FvGpu that reads the bytes directly; NULL: ordinary memory */
    const void *memory;            /* the FvGpuMemory of `owner`, which begins with the bytes */
    void (*release)(void *opaque); /* called in any thread */
    void *opaque;
} FvPacketMemory;

/* Allocates packet memory. Any thread may call it. */
typedef struct FvPacketAllocator {
    FvStatus (*alloc)(void *opaque, FvPacketMemory *memory, size_t bytes,
                      FvError *error); /* NULL: ordinary memory is used */
    void *opaque;
} FvPacketAllocator;

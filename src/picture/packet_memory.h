/*
 * Memory for packets of compressed video. A device that decodes lends some that it reads by itself, so that a packet
 * is copied once, out of the file, before it crosses the bus.
 */
#ifndef FV_PICTURE_PACKET_MEMORY_H
#define FV_PICTURE_PACKET_MEMORY_H

#include "fovea/fovea.h"

typedef struct FvPacketMemory {
    uint8_t *bytes;
    const void *owner;             /* the FvGpu that reads them by itself; NULL: none does */
    const void *memory;            /* its FvGpuMemory, of which they are the beginning */
    void (*release)(void *opaque); /* from any thread */
    void *opaque;
} FvPacketMemory;

/* Who lends it, to any thread. */
typedef struct FvPacketLender {
    FvStatus (*lend)(void *opaque, FvPacketMemory *memory, size_t bytes, FvError *error); /* NULL: nobody does */
    void *opaque;
} FvPacketLender;

#endif

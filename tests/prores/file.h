/* Finds ProRes packets in any file, consecutive or scattered, without knowledge of the container. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct File {
    uint8_t *bytes;
    size_t size;
} File;

/* False when it cannot be read. */
bool file_read(File *file, const char *folder, const char *name);

/* The next packet at or after *at: a size, "icpf", and as many bytes. *at moves past it. False: no more.
 */
bool file_packet(const File *file, size_t *at, const uint8_t **packet, size_t *size);

void file_free(File *file);

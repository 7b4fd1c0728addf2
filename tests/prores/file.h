/* Finds ProRes packets in any file, consecutive or scattered, without knowledge of the container. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct File {
    uint8_t *bytes;
    size_t size;
} File;

/* Reads a file. Returns false if that fails. */
bool file_read(File *file, const char *folder, const char *name);

/* Finds the next packet at or after *at: a size, "icpf", and as many bytes. Moves *at past it. Returns false if there
 * is none. */
bool file_packet(const File *file, size_t *at, const uint8_t **packet, size_t *size);

void file_free(File *file);

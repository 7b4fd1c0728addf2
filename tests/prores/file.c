#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

bool file_read(File *file, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    *file = (File){0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return false;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream);
    rewind(stream);
    file->bytes = size > 0 ? malloc((size_t)size) : NULL;
    file->size = file->bytes ? fread(file->bytes, 1, (size_t)size, stream) : 0;
    fclose(stream);
    return file->size > 0 && file->size == (size_t)size;
}

bool file_packet(const File *file, size_t *at, const uint8_t **packet, size_t *size)
{
    for (; file->size - *at >= 8; ++*at) {
        *packet = file->bytes + *at;
        *size = fv_be32(*packet);
        if (!memcmp(*packet + 4, "icpf", 4) && *size >= 28 && *size <= file->size - *at) {
            *at += *size;
            return true;
        }
    }
    return false;
}

void file_free(File *file)
{
    free(file->bytes);
    *file = (File){0};
}

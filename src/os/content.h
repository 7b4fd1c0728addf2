/* The content of a small file, read at once. */
#pragma once

#include "os/file.h"

/* The first bytes of a file; a NUL follows the last one. */
typedef struct FvContent {
    uint8_t *bytes;
    size_t size;
    FvFileId id;
} FvContent;

/*
 * Reads at most `most` bytes of a regular file, and refuses any other: opening a pipe could wait for ever. Messages
 * call it `name`. The caller frees content->bytes, also after a failure.
 */
FvStatus fv_content_read(FvContent *content, const char *path, const char *name, size_t most, FvError *error);

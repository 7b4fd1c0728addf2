/* Reads the content of a file: of a small one at once, of a large one in pieces. */
#pragma once

#include "os/file.h"

/* The first bytes of a file; a NUL follows the last one. */
typedef struct FvContent {
    uint8_t *bytes;
    size_t size;
    FvFileId id;
} FvContent;

/*
 * Reads at most `most` bytes of a regular file, and refuses any other kind of file: opening a pipe could wait for
 * ever. `name` names the file in messages. The caller frees content->bytes, also after a failure.
 */
FvStatus fv_content_read(FvContent *content, const char *path, const char *name, size_t most, FvError *error);

/* Passes every byte of a regular file of any size to `take`, a piece at a time; content->bytes stays NULL. */
FvStatus fv_content_pass(FvContent *content, const char *path, const char *name,
                         void (*take)(void *opaque, const uint8_t *bytes, size_t size), void *opaque, FvError *error);

/* A file that an option names and that decides scores. */
#pragma once

#include "fovea/fovea.h"
#include "os/file.h"

typedef struct FvOptionFile {
    uint8_t *bytes; /* a NUL follows the last one */
    size_t size;
    char sha256[65]; /* hexadecimal digits */
    FvFileId id;     /* so that no output replaces it */
} FvOptionFile;

/* Reads the whole file. `owner` begins the message. The caller frees file->bytes, also after a failure. */
FvStatus fv_option_file_read(FvOptionFile *file, const char *owner, const char *path, FvError *error);

/* Reads a file that an option names and that affects scores. */
#pragma once

#include "fovea/fovea.h"
#include "os/content.h"

typedef struct FvOptionFile {
    FvContent content; /* the content, without bytes if only the hash was requested */
    char sha256[65];   /* hash of the file, 64 hexadecimal digits and a NUL */
} FvOptionFile;

/*
 * Reads a complete regular file. Messages begin with `owner`. The caller frees file->content.bytes, also after a
 * failure.
 */
FvStatus fv_option_file_read(FvOptionFile *file, const char *owner, const char *path, FvError *error);

/* Hashes a regular file of any size without keeping its bytes. */
FvStatus fv_option_file_hash(FvOptionFile *file, const char *owner, const char *path, FvError *error);

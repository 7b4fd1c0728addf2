#include "option/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"

#define MAX_FILE ((size_t)64 << 20) /* maximum bytes of a file that is read completely */

FvStatus fv_option_file_read(FvOptionFile *file, const char *owner, const char *path, FvError *error)
{
    char *name;
    *file = (FvOptionFile){.sha256 = ""};
    if (asprintf(&name, "%s: '%s'", owner, path) < 0)
        return fv_fail_memory(error, strlen(path));
    FvStatus status = fv_content_read(&file->content, path, name, MAX_FILE + 1, error);
    if (!status && file->content.size > MAX_FILE)
        status = fv_fail(error, FV_ERROR_INPUT, "%s is too large: it has more than %zu MB", name, MAX_FILE >> 20);
    if (!status)
        fv_sha256(file->content.bytes, file->content.size, file->sha256);
    free(name);
    return status;
}

static void add_piece(void *hash, const uint8_t *bytes, size_t size)
{
    fv_sha256_add(hash, bytes, size);
}

FvStatus fv_option_file_hash(FvOptionFile *file, const char *owner, const char *path, FvError *error)
{
    char *name;
    FvSha256 hash;
    *file = (FvOptionFile){.sha256 = ""};
    if (asprintf(&name, "%s: '%s'", owner, path) < 0)
        return fv_fail_memory(error, strlen(path));
    fv_sha256_begin(&hash);
    FvStatus status = fv_content_pass(&file->content, path, name, add_piece, &hash, error);
    if (!status)
        fv_sha256_end(&hash, file->sha256);
    free(name);
    return status;
}

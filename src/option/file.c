#include "option/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"

#define MAX_FILE ((size_t)64 << 20)
#define FIRST_PIECE ((size_t)64 << 10)

/* From regular files and pipes alike. */
static FvStatus read_all(FvOptionFile *file, FILE *stream, const char *owner, const char *path, FvError *error)
{
    size_t room = 0;
    do {
        room = room ? 2 * room : FIRST_PIECE;
        uint8_t *grown = realloc(file->bytes, room + 1);
        if (!grown)
            return fv_fail_memory(error, room + 1);
        file->bytes = grown;
        file->size += fread(file->bytes + file->size, 1, room - file->size, stream);
    } while (file->size == room && room < MAX_FILE);
    if (ferror(stream))
        return fv_fail(error, FV_ERROR_INPUT, "%s: '%s' cannot be read: %s", owner, path, strerror(errno));
    if (file->size == room)
        return fv_fail(error, FV_ERROR_INPUT, "%s: '%s' is too large: it has more than %zu MB", owner, path,
                       MAX_FILE >> 20);
    file->bytes[file->size] = '\0';
    fv_sha256(file->bytes, file->size, file->sha256);
    return FV_OK;
}

FvStatus fv_option_file_read(FvOptionFile *file, const char *owner, const char *path, FvError *error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fv_fail(error, errno == ENOMEM ? FV_ERROR_MEMORY : FV_ERROR_INPUT, "%s: '%s' cannot be opened: %s",
                       owner, path, strerror(errno));
    FvFileFacts facts;
    FvStatus status = read_all(file, stream, owner, path, error);
    fv_file_facts(fileno(stream), &facts);
    file->id = facts.id;
    fclose(stream);
    return status;
}

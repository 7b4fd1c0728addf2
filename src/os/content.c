#include "os/content.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"

#define PIECE ((size_t)1 << 20) /* maximum bytes of a piece that fv_content_pass() reads */

static FvStatus examine(FvFileFacts *facts, int fd, const char *name, FvError *error)
{
    if (!fv_file_facts(fd, facts))
        return fv_file_fail(error, FV_ERROR_INPUT, name, "examined", errno);
    if (facts->kind != FV_FILE_REGULAR)
        return fv_fail(error, FV_ERROR_INPUT, "%s is not a regular file; store it in one first", name);
    return FV_OK;
}

static FvStatus read_open(FvContent *content, int fd, const char *name, size_t most, FvError *error)
{
    FvFileFacts facts;
    FvStatus status = examine(&facts, fd, name, error);
    if (status)
        return status;
    const size_t size = facts.size < 0 ? 0 : (uint64_t)facts.size < most ? (size_t)facts.size : most;
    content->id = facts.id;
    content->bytes = malloc(size + 1);
    if (!content->bytes)
        return fv_fail_memory(error, size + 1);
    const ptrdiff_t got = fv_file_read_at(fd, content->bytes, size, 0);
    if (got < 0)
        return fv_file_fail(error, FV_ERROR_INPUT, name, "read", errno);
    content->size = (size_t)got;
    content->bytes[got] = '\0';
    return FV_OK;
}

FvStatus fv_content_read(FvContent *content, const char *path, const char *name, size_t most, FvError *error)
{
    *content = (FvContent){.bytes = NULL};
    const int fd = fv_file_open(path);
    if (fd < 0)
        return fv_file_fail(error, FV_ERROR_INPUT, name, "opened", errno);
    FvStatus status = read_open(content, fd, name, most, error);
    fv_file_close(fd);
    return status;
}

static FvStatus pass_open(FvContent *content, int fd, const char *name,
                          void (*take)(void *opaque, const uint8_t *bytes, size_t size), void *opaque, FvError *error)
{
    FvFileFacts facts;
    FvStatus status = examine(&facts, fd, name, error);
    if (status)
        return status;
    content->id = facts.id;
    uint8_t *piece = malloc(PIECE);
    if (!piece)
        return fv_fail_memory(error, PIECE);
    ptrdiff_t got;
    while ((got = fv_file_read_at(fd, piece, PIECE, (int64_t)content->size)) > 0) {
        take(opaque, piece, (size_t)got);
        content->size += (size_t)got;
    }
    if (got < 0)
        status = fv_file_fail(error, FV_ERROR_INPUT, name, "read", errno);
    free(piece);
    return status;
}

FvStatus fv_content_pass(FvContent *content, const char *path, const char *name,
                         void (*take)(void *opaque, const uint8_t *bytes, size_t size), void *opaque, FvError *error)
{
    *content = (FvContent){.bytes = NULL};
    const int fd = fv_file_open(path);
    if (fd < 0)
        return fv_file_fail(error, FV_ERROR_INPUT, name, "opened", errno);
    FvStatus status = pass_open(content, fd, name, take, opaque, error);
    fv_file_close(fd);
    return status;
}

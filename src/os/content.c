#include "os/content.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"

static FvStatus read_open(FvContent *content, int fd, const char *name, size_t most, FvError *error)
{
    FvFileFacts facts;
    if (!fv_file_facts(fd, &facts))
        return fv_file_fail(error, FV_ERROR_INPUT, name, "examined", errno);
    if (facts.kind != FV_FILE_REGULAR)
        return fv_fail(error, FV_ERROR_INPUT, "%s: is not a regular file; store it in one first", name);
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

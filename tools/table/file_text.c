#include "table/file_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"

static FvStatus read_all(FILE *file, const char *path, size_t most, char **text, size_t *size)
{
    size_t room = 0;
    while (!feof(file)) {
        if (*size + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *more = realloc(*text, room);
            if (!more)
                return report_error(FV_ERROR_MEMORY, "out of memory while reading %s", path);
            *text = more;
        }
        *size += fread(*text + *size, 1, room - *size - 1, file);
        if (ferror(file))
            return report_error(fv_failure_of_system(FV_ERROR_INPUT, errno), "%s cannot be read: %s", path,
                                strerror(errno));
        if (*size > most)
            return report_error(FV_ERROR_INPUT, "%s is larger than such a file can be (%zu MiB)", path, most >> 20);
    }
    (*text)[*size] = '\0';
    return FV_OK;
}

FvStatus file_text(const char *path, size_t most, char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    /* Without O_NONBLOCK, a pipe without a writer would block here. */
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!file) {
        const int reason = errno;
        if (fd >= 0)
            close(fd);
        return report_error(fv_failure_of_system(FV_ERROR_INPUT, reason), "%s cannot be opened: %s", path,
                            strerror(reason));
    }
    struct stat facts;
    FvStatus status = FV_OK;
    if (fstat(fd, &facts) || !S_ISREG(facts.st_mode))
        status = report_error(FV_ERROR_INPUT, "%s is not a regular file; store it in one first", path);
    if (!status)
        status = read_all(file, path, most, text, size);
    fclose(file);
    return status;
}

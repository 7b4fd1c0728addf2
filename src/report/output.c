#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#define ATTEMPTS 100 /* at a name that nobody uses */

static FvStatus fail(FvOutput *output, const char *path, int reason, FvError *error)
{
    FvStatus status =
        fv_fail(error, FV_ERROR_OUTPUT, "%s could not be written: %s", strcmp(path, "-") ? path : "standard output",
                reason ? strerror(reason) : "the stream is in error");
    free(output->path);
    free(output->temporary);
    *output = (FvOutput){0};
    return status;
}

/* Beside the target, so that the rename stays inside one file system; open() applies the user's umask. */
static int open_temporary(FvOutput *output)
{
    size_t size = strlen(output->path) + 64;
    output->temporary = malloc(size);
    if (!output->temporary)
        return -1;
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        snprintf(output->temporary, size, "%s.%ld.%d.tmp", output->path, (long)getpid(), i);
        fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static void sync_directory(const char *path)
{
    char *copy = strdup(path);
    int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

FvStatus fv_output_open(FvOutput *output, const char *path, FvError *error)
{
    *output = (FvOutput){0};
    if (!strcmp(path, "-")) {
        output->file = stdout;
        output->path = strdup(path);
        return output->path ? FV_OK : fail(output, path, ENOMEM, error);
    }
    struct stat info;
    bool exists = !stat(path, &info);
    if (exists && S_ISDIR(info.st_mode))
        return fail(output, path, EISDIR, error);
    output->path = exists ? realpath(path, NULL) : strdup(path);
    if (!output->path)
        return fail(output, path, errno, error);
    int fd = exists && !S_ISREG(info.st_mode) ? open(path, O_WRONLY | O_CLOEXEC) : open_temporary(output);
    if (fd < 0)
        return fail(output, path, errno, error);
    if (exists && output->temporary)
        (void)!fchmod(fd, info.st_mode & 0777);
    output->file = fdopen(fd, "w");
    if (output->file)
        return FV_OK;
    int reason = errno;
    close(fd);
    if (output->temporary)
        unlink(output->temporary);
    return fail(output, path, reason, error);
}

FvStatus fv_output_close(FvOutput *output, FvError *error)
{
    FILE *file = output->file;
    errno = 0;
    bool written = !fflush(file) && !ferror(file);
    if (written && output->temporary)
        written = !fsync(fileno(file));
    int reason = errno;
    if (file != stdout && fclose(file) && written) {
        written = false;
        reason = errno;
    }
    if (written && output->temporary && rename(output->temporary, output->path)) {
        written = false;
        reason = errno;
    }
    if (!written) {
        if (output->temporary)
            unlink(output->temporary);
        return fail(output, output->path, reason, error);
    }
    if (output->temporary)
        sync_directory(output->path);
    free(output->path);
    free(output->temporary);
    *output = (FvOutput){0};
    return FV_OK;
}

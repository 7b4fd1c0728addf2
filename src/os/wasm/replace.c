/* WebAssembly: links and permissions are the host's affair; a module cannot see them. */
#include "os/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int fv_replace_descriptor(const char *path)
{
    return !strcmp(path, "-") || !strcmp(path, "/dev/stdout") ? STDOUT_FILENO
           : !strcmp(path, "/dev/stderr")                     ? STDERR_FILENO
                                                              : -1;
}

char *fv_replace_target(const char *path)
{
    return strdup(path);
}

bool fv_replace_takes(const char *target)
{
    return true;
}

int fv_replace_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
}

void fv_replace_permit(int fd, unsigned permissions)
{
}

bool fv_replace_flush(int fd)
{
    return !fsync(fd);
}

void fv_replace_flush_folder(const char *target)
{
}

bool fv_replace(const char *path, const char *target)
{
    return !rename(path, target);
}

bool fv_replace_none(const char *path, const char *target)
{
    if (!access(target, F_OK)) {
        errno = EEXIST;
        return false;
    }
    return !rename(path, target);
}

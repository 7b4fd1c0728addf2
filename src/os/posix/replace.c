#include "os/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fv_replace_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
        return STDOUT_FILENO;
    if (!strcmp(path, "/dev/stderr"))
        return STDERR_FILENO;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(folders[i]);
        const char *digits = path + length;
        if (!strncmp(path, folders[i], length) && *digits && strlen(digits) < 7 &&
            !digits[strspn(digits, "0123456789")])
            return atoi(digits);
    }
    return -1;
}

char *fv_replace_target(const char *path)
{
    char *target = realpath(path, NULL);
    if (target || errno != ENOENT)
        return target;
    char link[4096];
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0)
        return errno == EINVAL || errno == ENOENT ? strdup(path) : NULL;
    link[length] = 0;
    const char *slash = *link == '/' ? NULL : strrchr(path, '/');
    char *joined;
    if (asprintf(&joined, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, link) < 0)
        return NULL;
    target = fv_replace_target(joined); /* the recursion ends, because realpath() refuses circular links */
    free(joined);
    return target;
}

bool fv_replace_takes(const char *target)
{
    char *copy = strdup(target);
    const bool takes = copy && !access(dirname(copy), W_OK | X_OK);
    free(copy);
    return takes;
}

/* Creates the file with the permissions that the user's umask allows. */
int fv_replace_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

void fv_replace_permit(int fd, unsigned permissions)
{
    (void)!fchmod(fd, permissions);
}

bool fv_replace_flush(int fd)
{
    return !fsync(fd);
}

void fv_replace_flush_folder(const char *target)
{
    char *copy = strdup(target);
    int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

bool fv_replace(const char *path, const char *target)
{
    return !rename(path, target);
}

bool fv_replace_none(const char *path, const char *target)
{
#if defined(SYS_renameat2)
    /* 1 is RENAME_NOREPLACE: musl 1.2.3 has neither the name nor the function. */
    if (!syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, target, 1U))
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
#endif
    if (link(path, target)) /* the system or its file system lacks renameat2(); link() never replaces a file */
        return false;
    unlink(path);
    return true;
}

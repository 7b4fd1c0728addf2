#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int fv_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

ptrdiff_t fv_file_read_at(int fd, void *bytes, size_t size, int64_t position)
{
    size_t filled = 0;
    while (filled < size) {
        const ssize_t got = pread(fd, (char *)bytes + filled, size - filled, position + (int64_t)filled);
        if (got < 0 && errno != EINTR)
            return -1;
        if (!got)
            break;
        filled += got > 0 ? (size_t)got : 0;
    }
    return (ptrdiff_t)filled;
}

bool fv_file_exists(const char *path)
{
    return !access(path, F_OK);
}

bool fv_file_make_folder(const char *path, unsigned mode)
{
    return !mkdir(path, mode) || errno == EEXIST;
}

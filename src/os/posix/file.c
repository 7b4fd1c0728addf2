#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

/* capacity of a pipe: the maximum for an ordinary user, which reduces switches between writer and reader */
#define PIPE_BYTES (1 << 20)

_Static_assert(sizeof(FvFilePart) == sizeof(struct iovec) &&
                   offsetof(FvFilePart, size) == offsetof(struct iovec, iov_len),
               "the system takes the parts as they are");

int fv_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

int fv_file_open_standard(void)
{
    return dup(STDIN_FILENO);
}

void fv_file_read_in_order(int fd, FvFileKind kind)
{
    if (kind == FV_FILE_REGULAR)
        posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (kind == FV_FILE_PIPE)
        (void)fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
}

ptrdiff_t fv_file_read_parts(int fd, const FvFilePart *parts, int count, int64_t position)
{
    const struct iovec *rows = (const struct iovec *)parts;
    ssize_t got;
    do {
        got = position == FV_FILE_NEXT ? readv(fd, rows, count) : preadv(fd, rows, count, position);
    } while (got < 0 && errno == EINTR);
    return got;
}

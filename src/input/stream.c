#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cancel.h"
#include "error.h"

/* Rows handed to one readv; the system's limit is 1024. */
#define MAX_ROWS 256

static FvStatus fail_errno(const FvStream *stream, const char *what, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT, "%s: cannot be %s: %s", stream->name, what, strerror(errno));
}

/* As much of the rows as one system call gives; 0 at the end. */
static FvStatus read_some(FvStream *stream, const struct iovec *rows, int count, size_t *length, FvError *error)
{
    ssize_t got;
    if (stream->waits && !fv_cancel_wait(stream->cancel, stream->fd, POLLIN))
        return fv_fail_cancelled(error, stream->name);
    do {
        got = count == 1 ? read(stream->fd, rows->iov_base, rows->iov_len) : readv(stream->fd, rows, count);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail_errno(stream, "read", error);
    *length = (size_t)got;
    return FV_OK;
}

/* Does not wait for the writer of a named pipe: reading does, and can be stopped. */
static int open_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

FvStatus fv_stream_open(FvStream *stream, const char *path, const FvCancel *cancel, FvError *error)
{
    bool standard = !strcmp(path, "-");
    *stream = (FvStream){.name = standard ? "standard input" : path, .fd = -1, .left = -1, .cancel = cancel};
    int fd = standard ? dup(STDIN_FILENO) : open_file(path);
    if (fd < 0)
        return fail_errno(stream, "opened", error);
    stream->fd = fd;
    struct stat info;
    if (fstat(fd, &info))
        return fail_errno(stream, "examined", error);
    stream->id = fv_file_id(&info);
    if (S_ISDIR(info.st_mode))
        return fv_fail(error, FV_ERROR_INPUT, "%s: is a directory; give a video file", stream->name);
    if (S_ISREG(info.st_mode)) {
        int64_t position = standard ? lseek(fd, 0, SEEK_CUR) : 0;
        stream->left = position >= 0 && position < info.st_size ? info.st_size - position : 0;
        posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    } else {
        stream->waits = true;
    }
    size_t length = 0;
    do {
        struct iovec rest = {stream->start + stream->filled, sizeof stream->start - stream->filled};
        FvStatus status = read_some(stream, &rest, 1, &length, error);
        if (status)
            return status;
        stream->filled += (int)length;
    } while (length && stream->filled < (int)sizeof stream->start);
    if (!stream->filled)
        return fv_fail(error, FV_ERROR_INPUT, "%s: is empty", stream->name);
    return FV_OK;
}

/* Delivers what was read ahead. */
static size_t take_start(FvStream *stream, void *bytes, size_t size)
{
    size_t ready = (size_t)(stream->filled - stream->used);
    if (size > ready)
        size = ready;
    memcpy(bytes, stream->start + stream->used, size);
    stream->used += (int)size;
    return size;
}

FvStatus fv_stream_read_rows(FvStream *stream, uint8_t *first, ptrdiff_t stride, size_t row_bytes, int rows,
                             size_t *length, FvError *error)
{
    *length = 0;
    int y = 0;
    size_t done = 0; /* bytes of row y */
    while (y < rows) {
        size_t got = 0;
        if (stream->used < stream->filled) {
            got = take_start(stream, first + y * stride + done, row_bytes - done);
        } else {
            struct iovec batch[MAX_ROWS];
            int count = rows - y < MAX_ROWS ? rows - y : MAX_ROWS;
            for (int i = 0; i < count; i++)
                batch[i] = (struct iovec){first + (y + i) * stride, row_bytes};
            batch[0].iov_base = (uint8_t *)batch[0].iov_base + done;
            batch[0].iov_len -= done;
            FvStatus status = read_some(stream, batch, count, &got, error);
            if (status)
                return status;
            if (!got)
                break;
        }
        *length += got;
        done += got;
        y += (int)(done / row_bytes);
        done %= row_bytes;
    }
    if (stream->left >= 0)
        stream->left = stream->left > (int64_t)*length ? stream->left - (int64_t)*length : 0;
    return FV_OK;
}

FvStatus fv_stream_read(FvStream *stream, void *bytes, size_t size, size_t *length, FvError *error)
{
    return fv_stream_read_rows(stream, bytes, 0, size, 1, length, error);
}

FvStatus fv_stream_read_line(FvStream *stream, char *line, size_t size, const char *what, FvError *error)
{
    for (size_t filled = 0; filled < size; filled++) {
        size_t length;
        FvStatus status = fv_stream_read(stream, line + filled, 1, &length, error);
        if (status)
            return status;
        if (!length && !filled)
            return FV_END;
        if (!length)
            return fv_fail(error, FV_ERROR_INPUT, "%s: ends within the %s", stream->name, what);
        if (!line[filled])
            return fv_fail(error, FV_ERROR_INPUT, "%s: the %s has a zero byte in it", stream->name, what);
        if (line[filled] == '\n') {
            line[filled] = 0;
            return FV_OK;
        }
    }
    return fv_fail(error, FV_ERROR_INPUT, "%s: the %s is longer than %zu characters", stream->name, what, size - 1);
}

FvStatus fv_stream_more(FvStream *stream, bool *more, FvError *error)
{
    *more = stream->left > 0 || stream->used < stream->filled;
    if (*more || stream->left == 0)
        return FV_OK;
    size_t length = 0;
    FvStatus status = read_some(stream, &(struct iovec){stream->start, 1}, 1, &length, error);
    if (status)
        return status;
    stream->used = 0;
    stream->filled = (int)length;
    *more = length > 0;
    return FV_OK;
}

void fv_stream_close(FvStream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
}

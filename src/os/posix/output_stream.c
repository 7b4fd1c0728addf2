#include "os/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/cancel.h"
#include "os/file.h"

#define BUFFER 65536   /* bytes of the buffer, and maximum bytes of one write */
#define PATIENCE 10000 /* milliseconds that a late stream waits for room to write */
#define RETRY 20       /* milliseconds between checks for the reader of a named pipe */

/* Waits for room to write; false: a stop was requested, or a late stream made no progress for too long. */
static bool has_room(const FvOutputStream *stream)
{
    if (!stream->late)
        return fv_cancel_wait(stream->cancel, stream->fd, POLLOUT);
    int ready;
    do
        ready = poll(&(struct pollfd){.fd = stream->fd, .events = POLLOUT}, 1, PATIENCE);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static ssize_t write_bytes(void *cookie, const char *bytes, size_t size)
{
    FvOutputStream *stream = cookie;
    size_t done = 0;
    while (done < size && !stream->abandoned && !stream->reason) {
        if (stream->cancel && !has_room(stream)) {
            stream->reason = ECANCELED;
            break;
        }
        size_t part = size - done < stream->most ? size - done : stream->most;
        ssize_t got = write(stream->fd, bytes + done, part);
        if (got >= 0)
            done += (size_t)got;
        else if (errno != EAGAIN && errno != EINTR)
            stream->reason = errno;
    }
    errno = stream->reason;
    return (ssize_t)done;
}

static int close_stream(void *cookie)
{
    return close(((FvOutputStream *)cookie)->fd);
}

/*
 * Opens the same pipe or terminal again: it can then be made non-blocking without affecting other users of the
 * descriptor. An output that cannot be opened again is written in pieces for which poll() guarantees room.
 */
static int reopen(FvOutputStream *stream, int fd)
{
    char path[40];
    struct stat info;
    stream->most = PIPE_BUF;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fstat(fd, &info))
        return -1;
    if ((flags & O_ACCMODE) == O_RDONLY) { /* opening it a second time could make it writable */
        errno = EBADF;
        return -1;
    }
    if (stream->cancel && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode))) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        int again = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (again >= 0) {
            stream->most = BUFFER;
            return again;
        }
    }
    if (!stream->cancel || S_ISREG(info.st_mode))
        stream->most = BUFFER;
    return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int open_at_once(const char *path)
{
    return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Opens a path. A named pipe opens when it has a reader; a socket, or /dev/tty without a terminal, never opens. */
static int open_path(FvOutputStream *stream, const char *path)
{
    FvFileFacts facts;
    stream->most = BUFFER;
    if (!stream->cancel)
        return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    for (int waited = 0;; waited += RETRY) {
        const int fd = open_at_once(path), reason = errno;
        if (fd >= 0 || reason != ENXIO || !fv_file_facts_of(path, &facts) || facts.kind != FV_FILE_PIPE) {
            errno = reason;
            return fd;
        }
        if (stream->late ? waited >= PATIENCE : fv_cancel_requested(stream->cancel)) {
            errno = ECANCELED;
            return -1;
        }
        poll(NULL, 0, RETRY);
    }
}

bool fv_output_stream_opens(const char *path)
{
    const int fd = open_at_once(path);
    return fd >= 0 && !close(fd);
}

FILE *fv_output_stream_open(FvOutputStream *stream, int fd, const char *path, const FvCancel *cancel)
{
    *stream = (FvOutputStream){.cancel = cancel, .late = fv_cancel_requested(cancel)};
    fflush(stdout); /* earlier output comes first */
    stream->fd = fd >= 0 ? reopen(stream, fd) : open_path(stream, path);
    if (stream->fd < 0)
        return NULL;
    FILE *file = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes, .close = close_stream});
    if (!file) {
        int reason = errno;
        close(stream->fd);
        errno = reason;
        return NULL;
    }
    setvbuf(file, NULL, _IOFBF, BUFFER);
    return file;
}

void fv_output_stream_abandon(FvOutputStream *stream)
{
    stream->abandoned = true;
}

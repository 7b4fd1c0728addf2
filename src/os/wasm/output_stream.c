/* WebAssembly: writing never waits. */
#include "os/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "os/cancel.h"

static ssize_t write_bytes(void *cookie, const char *bytes, size_t size)
{
    FvOutputStream *stream = cookie;
    size_t done = 0;
    while (done < size && !stream->abandoned && !stream->reason) {
        ssize_t got = write(stream->fd, bytes + done, size - done);
        if (got >= 0)
            done += (size_t)got;
        else
            stream->reason = errno;
    }
    errno = stream->reason;
    return (ssize_t)done;
}

/* Closes the stream, except standard output and standard error, which belong to the host. */
static int close_stream(void *cookie)
{
    int fd = ((FvOutputStream *)cookie)->fd;
    return fd > STDERR_FILENO ? close(fd) : 0;
}

bool fv_output_stream_opens(const char *path)
{
    const int fd = open(path, O_WRONLY);
    return fd >= 0 && !close(fd);
}

FILE *fv_output_stream_open(FvOutputStream *stream, int fd, const char *path, const FvCancel *cancel)
{
    *stream = (FvOutputStream){.cancel = cancel, .late = fv_cancel_requested(cancel)};
    fflush(stdout); /* earlier output comes first */
    stream->fd = fd >= 0 ? fd : open(path, O_WRONLY);
    if (stream->fd < 0)
        return NULL;
    FILE *file = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes, .close = close_stream});
    if (!file && fd < 0)
        close(stream->fd);
    return file;
}

void fv_output_stream_abandon(FvOutputStream *stream)
{
    stream->abandoned = true;
}

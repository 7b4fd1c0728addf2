/* Windows: writing to a pipe waits for its reader, also after a stop request. */
#include "os/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>

#include "os/cancel.h"

#define BUFFER 65536 /* bytes of a stream's buffer */

bool fv_output_stream_opens(const char *path)
{
    return true; /* not checked here: opening fails if it cannot be opened */
}

FILE *fv_output_stream_open(FvOutputStream *stream, int fd, const char *path, const FvCancel *cancel)
{
    *stream = (FvOutputStream){.cancel = cancel, .late = fv_cancel_requested(cancel)};
    fflush(stdout); /* earlier output comes first */
    stream->fd = fd >= 0 ? _dup(fd) : _open(path, _O_WRONLY | O_CLOEXEC);
    if (stream->fd < 0)
        return NULL;
    _setmode(stream->fd, _O_BINARY);
    FILE *file = fdopen(stream->fd, "wb");
    if (!file) {
        int reason = errno;
        _close(stream->fd);
        errno = reason;
        return NULL;
    }
    setvbuf(file, NULL, _IOFBF, BUFFER);
    return file;
}

/* Redirects the stream to NUL, so that closing it discards the buffer. */
void fv_output_stream_abandon(FvOutputStream *stream)
{
    const int none = _open("NUL", _O_WRONLY | O_CLOEXEC);
    if (none >= 0) {
        _dup2(none, stream->fd);
        _close(none);
    }
}

#include "input/stream.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "os/cancel.h"

/* The maximum number of rows in one system call; the system accepts 1024 (IOV_MAX). */
#define MAX_ROWS 256

/*
 * The number of bytes read at opening, enough to recognise a file. With more, opening a pipe would wait for a writer
 * that has not written so much yet.
 */
#define FIRST_BYTES 16

/*
 * The number of bytes read ahead after rows that fill a call, so that the line between two frames is read with the
 * previous frame.
 */
#define AHEAD_BYTES 512

static FvStatus fail_errno(const FvStream *stream, const char *what, FvError *error)
{
    return fv_file_fail(error, FV_ERROR_INPUT, stream->name, what, errno);
}

/* Reads as much of the rows as one system call returns; 0 at the end. */
static FvStatus read_some(FvStream *stream, const FvFilePart *rows, int count, size_t *length, FvError *error)
{
    const double started = fv_seconds();
    if (stream->waits && !fv_cancel_wait_input(stream->cancel, stream->fd))
        return fv_fail_cancelled(error, stream->name);
    const ptrdiff_t got = fv_file_read_parts(stream->fd, rows, count, stream->waits ? FV_FILE_NEXT : stream->at);
    stream->seconds += fv_seconds() - started;
    if (got < 0)
        return fail_errno(stream, "read", error);
    stream->at += got;
    *length = (size_t)got;
    return FV_OK;
}

/* Fills the empty buffer by one system call; at the end of the stream it stays empty. */
static FvStatus fill_buffer(FvStream *stream, FvError *error)
{
    size_t length = 0;
    FvStatus status = read_some(stream, &(FvFilePart){stream->buffer, sizeof stream->buffer}, 1, &length, error);
    stream->used = 0;
    stream->filled = (int)length;
    return status;
}

FvStatus fv_stream_open(FvStream *stream, const char *path, const FvCancel *cancel, FvError *error)
{
    bool standard = !strcmp(path, "-");
    *stream =
        (FvStream){.name = standard ? "standard input" : path, .fd = -1, .left = -1, .size = -1, .cancel = cancel};
    int fd = standard ? fv_file_open_standard() : fv_file_open(path);
    if (fd < 0)
        return fail_errno(stream, "opened", error);
    stream->fd = fd;
    FvFileFacts facts;
    if (!fv_file_facts(fd, &facts))
        return fail_errno(stream, "examined", error);
    stream->id = facts.id;
    fv_file_read_in_order(fd, facts.kind);
    stream->waits = facts.kind != FV_FILE_REGULAR;
    if (facts.kind == FV_FILE_FOLDER)
        return fv_fail(error, FV_ERROR_INPUT, "%s is a directory; give a video file", stream->name);
    if (!stream->waits) {
        int64_t position = standard ? fv_file_position(fd) : 0;
        stream->left = position >= 0 && position < facts.size ? facts.size - position : 0;
        stream->size = stream->left;
        stream->first = stream->at = position > 0 ? position : 0;
    }
    size_t length = 0;
    do {
        FvFilePart rest = {stream->buffer + stream->filled, sizeof stream->buffer - (size_t)stream->filled};
        FvStatus status = read_some(stream, &rest, 1, &length, error);
        if (status)
            return status;
        stream->filled += (int)length;
    } while (length && stream->filled < FIRST_BYTES);
    if (!stream->filled)
        return fv_fail(error, FV_ERROR_INPUT, "%s is empty", stream->name);
    return FV_OK;
}

int64_t fv_stream_position(const FvStream *stream)
{
    return stream->at - stream->first - (stream->filled - stream->used);
}

FvStatus fv_stream_read_at(const FvStream *stream, int64_t position, uint8_t *first, ptrdiff_t stride,
                           size_t row_bytes, int rows, size_t *length, FvError *error)
{
    *length = 0;
    while (*length < row_bytes * (size_t)rows) {
        FvFilePart batch[MAX_ROWS];
        const bool packed = stride == (ptrdiff_t)row_bytes;
        const int y = (int)(*length / row_bytes);
        const int count = packed ? 1 : rows - y < MAX_ROWS ? rows - y : MAX_ROWS;
        const size_t done = *length % row_bytes;
        for (int i = 0; i < count; i++)
            batch[i] = (FvFilePart){first + (y + i) * stride, packed ? row_bytes * (size_t)(rows - y) : row_bytes};
        batch[0].bytes = (uint8_t *)batch[0].bytes + done;
        batch[0].size -= done;
        const int64_t at = stream->first + position + (int64_t)*length;
        const ptrdiff_t got = fv_file_read_parts(stream->fd, batch, count, at);
        if (got < 0)
            return fail_errno(stream, "read", error);
        if (!got)
            break;
        *length += (size_t)got;
    }
    return FV_OK;
}

bool fv_stream_get(const FvStream *stream, int64_t position, uint8_t *bytes, size_t size)
{
    size_t length;
    FvError ignored;
    return !fv_stream_read_at(stream, position, bytes, (ptrdiff_t)size, size, 1, &length, &ignored) && length == size;
}

void fv_stream_seek(FvStream *stream, int64_t position)
{
    stream->left = position < stream->size ? stream->size - position : 0;
    stream->at = stream->first + position;
    stream->used = stream->filled = 0;
}

static void count_delivered(FvStream *stream, size_t bytes)
{
    if (stream->left >= 0)
        stream->left = stream->left > (int64_t)bytes ? stream->left - (int64_t)bytes : 0;
}

/* Delivers bytes that were read ahead. */
static size_t take_buffered(FvStream *stream, void *bytes, size_t size)
{
    size_t ready = (size_t)(stream->filled - stream->used);
    if (size > ready)
        size = ready;
    memcpy(bytes, stream->buffer + stream->used, size);
    stream->used += (int)size;
    return size;
}

/*
 * Reads rows that are larger than the buffer directly into place, and some of the bytes that follow them into the
 * buffer.
 */
static FvStatus read_batch(FvStream *stream, uint8_t *first, ptrdiff_t stride, size_t row_bytes, size_t done,
                           int rows, size_t *got, FvError *error)
{
    FvFilePart batch[MAX_ROWS + 1];
    size_t wanted = row_bytes * (size_t)rows - done;
    for (int i = 0; i < rows; i++)
        batch[i] = (FvFilePart){first + i * stride, row_bytes};
    batch[0].bytes = (uint8_t *)batch[0].bytes + done;
    batch[0].size -= done;
    batch[rows] = (FvFilePart){stream->buffer, AHEAD_BYTES};
    FvStatus status = read_some(stream, batch, rows + 1, got, error);
    if (status)
        return status;
    stream->used = 0;
    stream->filled = *got > wanted ? (int)(*got - wanted) : 0;
    *got -= (size_t)stream->filled;
    return FV_OK;
}

FvStatus fv_stream_read_rows(FvStream *stream, uint8_t *first, ptrdiff_t stride, size_t row_bytes, int rows,
                             size_t *length, FvError *error)
{
    *length = 0;
    int y = 0;
    size_t done = 0; /* number of bytes of row y read so far */
    while (y < rows) {
        size_t got = 0;
        int count = rows - y < MAX_ROWS ? rows - y : MAX_ROWS;
        FvStatus status = FV_OK;
        if (stream->used == stream->filled && row_bytes * (size_t)count - done >= sizeof stream->buffer) {
            status = read_batch(stream, first + y * stride, stride, row_bytes, done, count, &got, error);
        } else {
            if (stream->used == stream->filled)
                status = fill_buffer(stream, error);
            got = take_buffered(stream, first + y * stride + done, row_bytes - done);
        }
        if (status)
            return status;
        if (!got)
            break;
        *length += got;
        done += got;
        y += (int)(done / row_bytes);
        done %= row_bytes;
    }
    count_delivered(stream, *length);
    return FV_OK;
}

FvStatus fv_stream_read_some(FvStream *stream, void *bytes, size_t size, size_t *length, FvError *error)
{
    FvStatus status = FV_OK;
    if (stream->used < stream->filled)
        *length = take_buffered(stream, bytes, size);
    else
        status = read_some(stream, &(FvFilePart){bytes, size}, 1, length, error);
    if (!status)
        count_delivered(stream, *length);
    return status;
}

FvStatus fv_stream_read(FvStream *stream, void *bytes, size_t size, size_t *length, FvError *error)
{
    return fv_stream_read_rows(stream, bytes, 0, size, 1, length, error);
}

FvStatus fv_stream_read_line(FvStream *stream, char *line, size_t size, const char *what, FvError *error)
{
    size_t filled = 0;
    for (;;) {
        FvStatus status = stream->used < stream->filled ? FV_OK : fill_buffer(stream, error);
        if (status)
            return status;
        if (stream->used == stream->filled && !filled)
            return FV_END;
        if (stream->used == stream->filled)
            return fv_fail(error, FV_FAIL_CUT_SHORT, "%s ends within the %s", stream->name, what);
        const uint8_t *ready = stream->buffer + stream->used;
        size_t bytes = (size_t)(stream->filled - stream->used), room = size - filled;
        bytes = bytes < room ? bytes : room;
        const uint8_t *end = memchr(ready, '\n', bytes);
        bytes = end ? (size_t)(end - ready) : bytes;
        if (memchr(ready, 0, bytes))
            return fv_fail(error, FV_ERROR_INPUT, "%s: the %s has a zero byte in it", stream->name, what);
        if (!end && bytes == room)
            return fv_fail(error, FV_ERROR_INPUT, "%s: the %s is longer than %zu characters", stream->name, what,
                           size - 1);
        count_delivered(stream, take_buffered(stream, line + filled, bytes + (end != NULL)));
        filled += bytes;
        if (end) {
            line[filled] = 0;
            return FV_OK;
        }
    }
}

FvStatus fv_stream_more(FvStream *stream, bool *more, FvError *error)
{
    FvStatus status = FV_OK;
    if (stream->left < 0 && stream->used == stream->filled)
        status = fill_buffer(stream, error);
    *more = stream->left > 0 || stream->used < stream->filled;
    return status;
}

void fv_stream_close(FvStream *stream)
{
    if (stream->fd >= 0)
        fv_file_close(stream->fd);
    stream->fd = -1;
}

/* Reads the bytes of a file, pipe or standard input in order, with messages that name it. */
#pragma once

#include "fovea/fovea.h"
#include "os/file.h"

#define FV_STREAM_BUFFER 16384 /* bytes of the buffer of a stream */

typedef struct FvStream {
    const char *name;       /* the path, or "standard input" */
    int fd;                 /* descriptor of the file; -1: not open */
    bool waits;             /* the file is not regular, so reading may wait for a writer */
    const FvCancel *cancel; /* ends the waiting; or NULL */
    FvFileId id;            /* identity of the file, which remains valid after the stream is closed */
    int64_t left;           /* number of bytes that follow; -1: unknown until the end */
    int64_t size;           /* bytes of a regular file from the stream's beginning on; else -1 */
    int64_t first, at;      /* regular files: positions in the file where the stream begins, and of the next read */
    /*
     * The bytes read ahead, of which [used, filled) are still to be delivered. Opening fills in the first bytes of
     * the file.
     */
    int used, filled;
    uint8_t buffer[FV_STREAM_BUFFER];
    double seconds; /* seconds spent in calls that read the next bytes */
} FvStream;

/*
 * Opens "-" or a path, which must outlive the stream, and reads its first bytes ahead. A directory, an empty file and
 * everything that the system refuses are FV_ERROR_INPUT. Once `cancel` (or NULL) asks to stop, opening and reading
 * anything but a regular file end with FV_ERROR_PARTIAL.
 */
FvStatus fv_stream_open(FvStream *stream, const char *path, const FvCancel *cancel, FvError *error);

/* Returns the position of the next byte of a regular file, counted from the stream's beginning. */
int64_t fv_stream_position(const FvStream *stream);

/*
 * Reads rows of a regular file at `position`; the stream's own position does not change, so any number of threads may
 * call it. *length as in fv_stream_read_rows().
 */
FvStatus fv_stream_read_at(const FvStream *stream, int64_t position, uint8_t *first, ptrdiff_t stride,
                           size_t row_bytes, int rows, size_t *length, FvError *error);

/* Reads `size` bytes of a regular file as fv_stream_read_at() does. false: it has fewer, or cannot be read. */
bool fv_stream_get(const FvStream *stream, int64_t position, uint8_t *bytes, size_t size);

/* Sets the position of a regular file, in bytes from the stream's beginning. */
void fv_stream_seek(FvStream *stream, int64_t position);

/* Reads at most `size` bytes without waiting for more than one. *length is 0 only at the end of the stream. */
FvStatus fv_stream_read_some(FvStream *stream, void *bytes, size_t size, size_t *length, FvError *error);

/* Reads `size` bytes. *length: the number of bytes read, fewer at the end of the stream. */
FvStatus fv_stream_read(FvStream *stream, void *bytes, size_t size, size_t *length, FvError *error);

/* Reads `rows` rows of `row_bytes`, which are `stride` bytes apart in memory and without gaps in the stream. */
FvStatus fv_stream_read_rows(FvStream *stream, uint8_t *first, ptrdiff_t stride, size_t row_bytes, int rows,
                             size_t *length, FvError *error);

/*
 * Reads one line without its end, as text. FV_END: the stream is at its end. FV_ERROR_INPUT: the line is longer than
 * size - 1, contains a zero byte, or is truncated by the stream's end; `what` names it in messages.
 */
FvStatus fv_stream_read_line(FvStream *stream, char *line, size_t size, const char *what, FvError *error);

/* Sets *more to whether at least one more byte follows. */
FvStatus fv_stream_more(FvStream *stream, bool *more, FvError *error);

void fv_stream_close(FvStream *stream);

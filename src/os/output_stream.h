/* A stream to a pipe, a terminal or another output that is written in place. A stop request ends its waiting. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"

typedef struct FvOutputStream {
    int fd;
    size_t most; /* maximum bytes that write() accepts without blocking after poll() reported room */
    const FvCancel *cancel;
    bool late; /* the stop was requested before the stream was opened, so the output holds the partial results and is
                  still written */
    bool abandoned; /* further bytes are discarded */
    int reason;     /* errno of the failed write, ECANCELED after a stop request, or 0 */
} FvOutputStream;

/* Returns whether a terminal, a device or a socket can be opened for writing. False with errno. */
bool fv_output_stream_opens(const char *path);

/*
 * Opens a stream on a descriptor, or on a path when the descriptor is negative. Waits for the reader of a named pipe.
 * After a stop request, waiting ends at once, or, when the request came before the opening, after 10 seconds without
 * progress. The stream must outlive the file. NULL with errno.
 */
FILE *fv_output_stream_open(FvOutputStream *stream, int fd, const char *path, const FvCancel *cancel);

/* Abandons the stream: closing the file then discards its buffer. */
void fv_output_stream_abandon(FvOutputStream *stream);

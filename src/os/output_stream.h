/* A stream to a pipe, terminal or other thing that is written in place, which a stop request ends. */
#ifndef FV_OS_OUTPUT_STREAM_H
#define FV_OS_OUTPUT_STREAM_H

#include <stdio.h>

#include "fovea/fovea.h"

typedef struct FvOutputStream {
    int fd;
    size_t most; /* bytes that one write() takes without waiting once poll() says that there is room */
    const FvCancel *cancel;
    bool late;      /* the stop had been requested when it was opened: what is written is what the stop left */
    bool abandoned; /* nothing more is written */
    int reason;     /* errno of the write that failed; ECANCELED: the stop was requested. 0: none did */
} FvOutputStream;

/*
 * The stream of an open descriptor, or, with a negative one, of a path. Waits for the reader of a named pipe. After a
 * stop request, waiting ends at once, or, when the request came before the opening, after 10 seconds without
 * progress. The stream must outlive the file. NULL with errno.
 */
FILE *fv_output_stream_open(FvOutputStream *stream, int fd, const char *path, const FvCancel *cancel);

/* What is still buffered is dropped when the file is closed. */
void fv_output_stream_abandon(FvOutputStream *stream);

#endif

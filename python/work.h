/* Work of the library that may wait for a file, with an end by Ctrl-C. */
#pragma once

#include <time.h>

#include "core.h"

typedef struct Work Work;

/*
 * The head of what the work reads and makes, which is on the heap: a daemon thread that waits for the work ends when
 * the interpreter does, and the work goes on.
 */
struct Work {
    FvStatus (*run)(Work *work, FvError *error); /* without the GIL */
    FvCancel *cancel;                            /* which the work's sources follow */
    FvError error;
};

/* All zeros behind the head, of `size` bytes in all, with a request to stop. NULL after an exception. */
void *work_new(const Core *core, size_t size, FvStatus (*run)(Work *work, FvError *error));

/*
 * Runs it in a thread of its own, while this one looks for signals. False after an exception: the library's, or of a
 * signal. The work has ended in any case.
 */
bool work_do(Work *work, const Core *core);

void work_free(Work *work);

#define WORK_PATIENCE 20000000 /* ns after which a thread that waits looks for signals */

/* Planes of other libraries: the buffer protocol, else DLPack on the CPU. */
#pragma once

#include "core.h"

struct DLManaged;
struct DLManagedVersioned;

/* One plane, held until samples_release(). */
typedef struct Samples {
    const void *data;
    Py_ssize_t height, width, stride; /* stride in bytes; below 0: rows from the bottom up */
    int bytes;                        /* per sample: 1 or 2 */
    Py_buffer view;
    struct DLManaged *managed;
    struct DLManagedVersioned *versioned;
} Samples;

/* `where` names the plane in messages: "distorted[1]". False after an exception. Release in any case. */
bool samples_take(Samples *samples, PyObject *array, const char *where);

void samples_release(Samples *samples);

/* Planes of other libraries: the buffer protocol, else DLPack, on the CPU or on the CUDA device of a session. */
#pragma once

#include <pthread.h>

#include "core.h"

struct DLManaged;
struct DLManagedVersioned;

/* One plane, held until samples_release(). */
typedef struct Samples {
    const void *data;
    Py_ssize_t height, width, stride;    /* stride in bytes; below 0: rows from the bottom up */
    Py_ssize_t components, step, across; /* of samples_take_pixels: bytes from pixel to pixel, within a pixel */
    int bytes;                           /* per sample: 1 or 2; of reals 2, 4 or 8 */
    bool real;                           /* of samples_take_pixels */
    bool on_device;                      /* `data` is a CUdeviceptr of the session's device */
    Py_buffer view;
    struct DLManaged *managed;
    struct DLManagedVersioned *versioned;
} Samples;

/*
 * `where` names the plane in messages: "distorted[1]". `session` reads memory of its device, too; NULL: host memory
 * only. False after an exception. Release in any case.
 */
bool samples_take(Samples *samples, PyObject *array, FvSession *session, const char *where);

/*
 * The same for pixels of three or four components, whole numbers or reals, any strides, in host memory. layout: "HWC"
 * or "CHW"; NULL: the one that the shape allows, if it does not allow both.
 */
bool samples_take_pixels(Samples *samples, PyObject *array, const char *layout, const char *where);

/* The dimensions of an array; -1: they are not known. */
int samples_dimensions(PyObject *array);

void samples_release(Samples *samples);

/* Whether the buffer protocol gives them: CuPy's and JAX's arrays on a GPU have it, too, and fail in it. */
bool samples_in_buffer(PyObject *array);

/* Tensors that the library reads in place. It lets go of them in any thread, and Python takes them back in its own.
 */
typedef struct Loans {
    pthread_mutex_t lock;
    struct Loan *back;
} Loans;

void loans_open(Loans *loans);

/* All that the library let go of. With the GIL. */
void loans_take_back(Loans *loans);

/* Once all loans are back. */
void loans_close(Loans *loans);

/* A frame over planes on the session's device, which moves into the loan, also on failure. Without the GIL. */
FvStatus loans_wrap(Loans *loans, FvSession *session, FvFrame **frame, const FvFormat *format, Samples planes[3],
                    FvError *error);

/*
 * Reads planes of other libraries through the buffer protocol or else DLPack, on the CPU or on the CUDA device of a
 * session.
 */
#pragma once

#include <pthread.h>

#include "core.h"

struct DLManaged;
struct DLManagedVersioned;

/* One plane, held until samples_release(). */
typedef struct Samples {
    const void *data;
    Py_ssize_t height, width, stride;    /* stride in bytes; negative: rows from the bottom up */
    Py_ssize_t components, step, across; /* for samples_take_pixels(): number of components, and bytes from pixel to
                                            pixel and from component to component */
    int bytes;                           /* bytes per sample: 1 or 2; of reals 2, 4 or 8 */
    bool real;                           /* for samples_take_pixels(): the samples are reals */
    bool on_device;                      /* `data` is a CUdeviceptr */
    Py_buffer view;
    struct DLManaged *managed;
    struct DLManagedVersioned *versioned;
} Samples;

/*
 * Takes a plane from an array. `where` names the plane in messages, such as "distorted[1]". `session`: a plane in
 * memory of its device is accepted too; NULL: host memory only. false after an exception. Call samples_release() in
 * any case.
 */
bool samples_take(Samples *samples, PyObject *array, FvSession *session, const char *where);

/*
 * Takes pixels of three or four components, integers or reals, with any strides. `layout`: "HWC" or "CHW"; NULL: the
 * only one that the shape allows. `session`: as above; NULL: memory of any CUDA device is accepted, and the work that
 * fills it is not awaited, so it must not be read.
 */
bool samples_take_pixels(Samples *samples, PyObject *array, const char *layout, FvSession *session,
                         const char *where);

/* Returns the number of dimensions of an array; -1: unknown. */
int samples_dimensions(PyObject *array);

void samples_release(Samples *samples);

/* Returns whether the buffer protocol works for an array: CuPy's and JAX's arrays on a GPU have it, but it fails. */
bool samples_in_buffer(PyObject *array);

/*
 * Tensors that the library reads in place. The library may release them in any thread; held_tensors_free() then frees
 * them in a thread of Python.
 */
typedef struct HeldTensors {
    pthread_mutex_t lock;
    struct HeldTensor *back;
} HeldTensors;

void held_tensors_open(HeldTensors *tensors);

/* Frees all tensors that the library has released. The caller holds the GIL. */
void held_tensors_free(HeldTensors *tensors);

/* Frees the lock. Call after the library has released all tensors. */
void held_tensors_close(HeldTensors *tensors);

/*
 * Makes a frame over planes on the session's device. The frame owns the planes from then on, also on failure. The
 * caller does not hold the GIL.
 */
FvStatus held_tensors_wrap(HeldTensors *tensors, FvSession *session, FvFrame **frame, const FvFormat *format,
                           Samples planes[3], FvError *error);

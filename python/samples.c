#include "samples.h"

#include <stdlib.h>
#include <string.h>

/* The structures of dlpack.h 1.0, whose layout is fixed. */
#define MOST_DIMENSIONS 16
#define MOST_SAMPLES ((int64_t)1 << 40)

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2 };

typedef struct DLTensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* in samples; strides NULL: rows are consecutive */
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManaged {
    DLTensor tensor;
    void *context;
    void (*deleter)(struct DLManaged *);
} DLManaged;

typedef struct DLManagedVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*deleter)(struct DLManagedVersioned *);
    uint64_t flags;
    DLTensor tensor;
} DLManagedVersioned;

/* Releasing may run Python code of the exporter, so a pending exception is saved and restored. */
void samples_release(Samples *samples)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (samples->view.obj)
        PyBuffer_Release(&samples->view);
    if (samples->managed && samples->managed->deleter)
        samples->managed->deleter(samples->managed);
    if (samples->versioned && samples->versioned->deleter)
        samples->versioned->deleter(samples->versioned);
    PyErr_Restore(type, value, trace);
    *samples = (Samples){0};
}

/* The object that the caller wants: a plane, or pixels of a layout. */
typedef struct Want {
    bool pixels;
    const char *layout;
    const char *where;
} Want;

static bool refuse_dimensions(const char *where, int count, bool pixels)
{
    PyErr_Format(PyExc_TypeError, "%s has %d dimension%s: %s", where, count, count == 1 ? "" : "s",
                 pixels ? "pixels are height x width x components or components x height x width"
                        : "a plane is height x width, and a frame is a list of one plane or three");
    return false;
}

static bool refuse_type(const char *where, const char *type, bool real)
{
    PyErr_Format(
        PyExc_TypeError, "%s has samples of type '%s': planes are uint8, or uint16 in host order%s", where, type,
        real ? "; of values from 0 to 1, (x * 255).round().astype('uint8') makes such samples, and the rounding "
               "is your choice because scores depend on it"
             : "");
    return false;
}

/* Finds the dimension of a pixel array that holds the components. */
static bool find_component(int *component, const Py_ssize_t *shape, const Want *want)
{
    const bool last = shape[2] == 3 || shape[2] == 4, first = shape[0] == 3 || shape[0] == 4;
    if (want->layout)
        *component = strcmp(want->layout, "CHW") ? 2 : 0;
    else if (last && first) {
        PyErr_Format(PyExc_ValueError,
                     "%s has %zd x %zd x %zd samples, which could be either: say layout='HWC' or 'CHW'", want->where,
                     shape[0], shape[1], shape[2]);
        return false;
    } else
        *component = first ? 0 : 2;
    return true;
}

/*
 * Sets sizes and strides, in bytes. Samples in a row of a plane must be adjacent, and 16-bit samples at even
 * addresses.
 */
static bool lay_out(Samples *samples, const Py_ssize_t *shape, const Py_ssize_t *strides, const Want *want)
{
    const char *where = want->where;
    const bool pixels = want->pixels;
    int component = 2;
    if (pixels && !find_component(&component, shape, want))
        return false;
    const int row = component == 0, column = row + 1;
    const Py_ssize_t step = strides[column];
    samples->height = shape[row];
    samples->width = shape[column];
    samples->stride = strides[row];
    samples->step = step;
    samples->components = pixels ? shape[component] : 1;
    samples->across = pixels ? strides[component] : 0;
    const size_t odd = (size_t)samples->step | (size_t)samples->across | (size_t)samples->stride;
    if (pixels && samples->bytes > 1 && (((uintptr_t)samples->data | odd) & 1)) {
        PyErr_Format(PyExc_TypeError, "%s: samples do not lie at even addresses", where);
        return false;
    }
    if (!pixels && ((samples->width > 1 && step != samples->bytes) ||
                    (samples->bytes == 2 && (((uintptr_t)samples->data | (size_t)samples->stride) & 1)))) {
        PyErr_Format(PyExc_TypeError,
                     "%s: the samples of a row do not lie side by side%s: numpy.ascontiguousarray() copies them so",
                     where, step == samples->bytes ? " at even addresses" : "");
        return false;
    }
    if (samples->width >= 1 && samples->height >= 1)
        return true;
    PyErr_Format(PyExc_ValueError, "%s is empty: %zd x %zd", where, samples->height, samples->width);
    return false;
}

static bool take_buffer(Samples *samples, PyObject *array, const Want *want)
{
    const bool pixels = want->pixels;
    const char *where = want->where;
    Py_buffer *view = &samples->view;
    if (PyObject_GetBuffer(array, view, PyBUF_RECORDS_RO))
        return false;
    const char *type = view->format ? view->format : "B";
    const char own = *(const unsigned char *)&(uint16_t){1} ? '<' : '>';
    const char *bare = type + (*type == '@' || *type == '=' || *type == own);
    samples->real = pixels && *bare && strchr("efd", *bare) && !bare[1];
    if (strcmp(bare, "B") && strcmp(bare, "H") && !samples->real)
        return refuse_type(where, type, strchr("efd", *bare) && *bare);
    if (view->ndim != 2 + pixels)
        return refuse_dimensions(where, view->ndim, pixels);
    samples->bytes = (int)view->itemsize;
    samples->data = view->buf;
    Py_ssize_t packed[3], next = view->itemsize;
    for (int i = view->ndim - 1; i >= 0; i--) {
        packed[i] = next;
        next *= view->shape[i];
    }
    /* ctypes omits strides even if they are requested. */
    return lay_out(samples, view->shape, view->strides ? view->strides : packed, want);
}

/* Takes ownership of the capsule's tensor, which samples_release() deletes. */
static const DLTensor *open_capsule(Samples *samples, PyObject *capsule, const char *where)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        samples->versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
        if (samples->versioned->version.major == 1)
            return &samples->versioned->tensor;
        PyErr_Format(PyExc_BufferError, "%s: __dlpack__ gave a tensor of a version other than 1", where);
        return NULL;
    }
    if (!PyCapsule_IsValid(capsule, "dltensor")) {
        PyErr_Format(PyExc_BufferError, "%s: __dlpack__ gave no tensor, or one that was taken before", where);
        return NULL;
    }
    samples->managed = PyCapsule_GetPointer(capsule, "dltensor");
    PyCapsule_SetName(capsule, "used_dltensor");
    return &samples->managed->tensor;
}

static PyObject *call_with(PyObject *method, PyObject *stream, bool newest)
{
    PyObject *none = PyTuple_New(0), *keywords = PyDict_New(), *version = Py_BuildValue("(ii)", 1, 0),
             *capsule = NULL;
    if (none && keywords && version && (!newest || !PyDict_SetItemString(keywords, "max_version", version)) &&
        (!stream || !PyDict_SetItemString(keywords, "stream", stream)))
        capsule = PyObject_Call(method, none, keywords);
    Py_XDECREF(none);
    Py_XDECREF(keywords);
    Py_XDECREF(version);
    return capsule;
}

/*
 * Calls array.__dlpack__(). With a stream, the exporter makes later work of that stream wait for the work that fills
 * the tensor.
 */
static PyObject *call_dlpack(PyObject *array, void *cuda_stream)
{
    PyObject *method = PyObject_GetAttrString(array, "__dlpack__"), *capsule = NULL;
    PyObject *stream = method && cuda_stream ? PyLong_FromVoidPtr(cuda_stream) : NULL;
    if (method && (stream || !cuda_stream)) {
        capsule = call_with(method, stream, true);
        if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            capsule = call_with(method, stream, false);
        }
    }
    Py_XDECREF(method);
    Py_XDECREF(stream);
    return capsule;
}

static bool ask_place(PyObject *array, int *type, int *id, const char *where)
{
    PyObject *place = PyObject_CallMethod(array, "__dlpack_device__", NULL);
    const bool is_pair = place && PyTuple_Check(place) && PyTuple_Size(place) == 2;
    if (place && !is_pair)
        PyErr_Format(PyExc_TypeError, "%s: __dlpack_device__ gives %R; it must be a pair of whole numbers", where,
                     place);
    const bool told = is_pair && PyArg_ParseTuple(place, "ii", type, id);
    Py_XDECREF(place);
    return told;
}

/* Returns whether the tensor of a capsule, which foreign code made, is well-formed. */
static bool is_whole(const DLTensor *tensor, const char *where)
{
    bool good = tensor->ndim >= 0 && tensor->ndim <= MOST_DIMENSIONS && (tensor->shape || !tensor->ndim);
    int64_t count = 1;
    for (int i = 0; i < tensor->ndim && good; i++)
        good = tensor->shape[i] >= 0 && !__builtin_mul_overflow(count, tensor->shape[i], &count) &&
               (!tensor->strides || (tensor->strides[i] > -MOST_SAMPLES && tensor->strides[i] < MOST_SAMPLES));
    good = good && count < MOST_SAMPLES && (tensor->data || !count);
    if (!good)
        PyErr_Format(PyExc_BufferError, "%s: __dlpack__ gave a tensor without memory, or without sizes", where);
    return good;
}

/* Returns whether the samples can be read where they are; the library never downloads them silently. */
static bool find_place(PyObject *array, FvSession *session, FvDeviceHandles *device, int *place, bool pixels,
                       const char *where)
{
    int type = 0, id = 0;
    const bool told = ask_place(array, &type, &id, where);
    *place = type;
    if (!told || type == DL_CPU || type == DL_CUDA_HOST)
        return told;
    if (type == DL_CUDA && pixels && !session) {
        device->index = id;
        return true;
    }
    if (type == DL_CUDA)
        fv_session_device(session, device); /* this call makes the device "auto" choose the GPU */
    if (type == DL_CUDA && device->kind && !strcmp(device->kind, "cuda") && device->index == id)
        return true;
    if (type == DL_CUDA)
        PyErr_Format(PyExc_TypeError,
                     "%s is on cuda:%d, and a session with device='cuda:%d' reads it there; x.cpu() copies", where,
                     id, id);
    else
        PyErr_Format(PyExc_TypeError, "%s is on a device (DLPack type %d) that sessions do not read; x.cpu() copies",
                     where, type);
    return false;
}

static bool take_dlpack(Samples *samples, PyObject *array, FvSession *session, const Want *want)
{
    const bool pixels = want->pixels;
    const char *where = want->where;
    FvDeviceHandles device = {0};
    int place;
    if (!find_place(array, session, &device, &place, pixels, where))
        return false;
    samples->on_device = place == DL_CUDA;
    PyObject *capsule = call_dlpack(array, device.cuda_stream);
    const DLTensor *tensor = capsule ? open_capsule(samples, capsule, where) : NULL;
    Py_XDECREF(capsule);
    if (tensor && (tensor->device.type != place || (samples->on_device && tensor->device.id != device.index))) {
        PyErr_Format(PyExc_BufferError,
                     "%s: __dlpack__ gave a tensor that lies elsewhere than __dlpack_device__ says", where);
        tensor = NULL;
    }
    if (!tensor || !is_whole(tensor, where))
        return false;
    char type[32];
    const int code = tensor->dtype.code, bits = tensor->dtype.bits;
    snprintf(type, sizeof type, "%s%d",
             code == DL_UINT    ? "uint"
             : code == DL_INT   ? "int"
             : code == DL_FLOAT ? "float"
                                : "?",
             bits);
    /* torch has no uint16 before 2.3, and int16 holds up to 15 bits. */
    samples->real = pixels && code == DL_FLOAT && (bits == 16 || bits == 32 || bits == 64);
    if (tensor->dtype.lanes != 1 ||
        !(samples->real || (code == DL_UINT && (bits == 8 || bits == 16)) || (code == DL_INT && bits == 16)))
        return refuse_type(where, type, code == DL_FLOAT);
    if (tensor->ndim != 2 + pixels)
        return refuse_dimensions(where, tensor->ndim, pixels);
    samples->bytes = bits / 8;
    samples->data = (const char *)tensor->data + tensor->byte_offset;
    Py_ssize_t shape[3] = {0}, strides[3] = {0}, next = samples->bytes;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        shape[i] = (Py_ssize_t)tensor->shape[i];
        strides[i] = tensor->strides ? (Py_ssize_t)tensor->strides[i] * samples->bytes : next;
        next *= shape[i];
    }
    return lay_out(samples, shape, strides, want);
}

bool samples_in_buffer(PyObject *array)
{
    int type = DL_CPU, id;
    if (!PyObject_CheckBuffer(array))
        return false;
    if (PyObject_HasAttrString(array, "__dlpack_device__") && !ask_place(array, &type, &id, ""))
        PyErr_Clear();
    return type == DL_CPU;
}

static bool take_array(Samples *samples, PyObject *array, FvSession *session, const Want *want)
{
    const bool pixels = want->pixels;
    const char *where = want->where;
    *samples = (Samples){0};
    if (samples_in_buffer(array))
        return take_buffer(samples, array, want);
    if (PyObject_HasAttrString(array, "__dlpack__"))
        return take_dlpack(samples, array, session, want);
    PyObject *name = PyType_GetName(Py_TYPE(array));
    PyErr_Format(PyExc_TypeError, "%s is a %S: %s an array with the buffer protocol or DLPack", where,
                 name ? name : Py_None, pixels ? "pixels are" : "a plane is");
    Py_XDECREF(name);
    return false;
}

bool samples_take(Samples *samples, PyObject *array, FvSession *session, const char *where)
{
    return take_array(samples, array, session, &(Want){.where = where});
}

bool samples_take_pixels(Samples *samples, PyObject *array, const char *layout, FvSession *session, const char *where)
{
    return take_array(samples, array, session, &(Want){.pixels = true, .layout = layout, .where = where});
}

int samples_dimensions(PyObject *array)
{
    /* Memoryviews, arrays and tensors have this attribute. */
    PyObject *shape = PyObject_GetAttrString(array, "shape");
    const Py_ssize_t count = shape ? PyObject_Size(shape) : -1;
    Py_XDECREF(shape);
    PyErr_Clear();
    return (int)count;
}

/* ---- Held tensors --------------------------------------------------------------------------------------------- */

typedef struct HeldTensor {
    struct HeldTensor *next;
    HeldTensors *to;
    Samples planes[3];
} HeldTensor;

void held_tensors_open(HeldTensors *tensors)
{
    *tensors = (HeldTensors){.back = NULL};
    pthread_mutex_init(&tensors->lock, NULL);
}

void held_tensors_free(HeldTensors *tensors)
{
    pthread_mutex_lock(&tensors->lock);
    HeldTensor *held = tensors->back;
    tensors->back = NULL;
    pthread_mutex_unlock(&tensors->lock);
    while (held) {
        HeldTensor *next = held->next;
        for (int i = 0; i < 3; i++)
            samples_release(&held->planes[i]);
        free(held);
        held = next;
    }
}

void held_tensors_close(HeldTensors *tensors)
{
    held_tensors_free(tensors);
    pthread_mutex_destroy(&tensors->lock);
}

static void give_back(void *opaque)
{
    HeldTensor *held = opaque;
    pthread_mutex_lock(&held->to->lock);
    held->next = held->to->back;
    held->to->back = held;
    pthread_mutex_unlock(&held->to->lock);
}

FvStatus held_tensors_wrap(HeldTensors *tensors, FvSession *session, FvFrame **frame, const FvFormat *format,
                           Samples planes[3], FvError *error)
{
    HeldTensor *held = calloc(1, sizeof *held);
    FvDeviceFrame where = {.release = give_back, .opaque = held};
    if (!held) {
        *error = (FvError){FV_ERROR_MEMORY, "out of memory for a frame"};
        return error->status;
    }
    held->to = tensors;
    for (int i = 0; i < 3; i++) {
        where.address[i] = (uint64_t)(uintptr_t)planes[i].data;
        where.stride[i] = planes[i].stride;
        held->planes[i] = planes[i];
        planes[i] = (Samples){0};
    }
    return fv_session_wrap(session, frame, format, &where, error);
}

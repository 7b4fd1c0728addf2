#include "samples.h"

#include <string.h>

/* dlpack.h 1.0, whose layout is fixed. */
enum { DL_CPU = 1, DL_CUDA_HOST = 3, DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2 };

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
    int64_t *shape, *strides; /* in samples; strides NULL: rows lie one behind the other */
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

/* An exporter may be written in Python, so an exception that is on its way steps aside. */
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

static bool refuse_dimensions(const char *where, int count)
{
    PyErr_Format(PyExc_TypeError,
                 "%s has %d dimension%s: a plane is height x width, and a frame is a list of one plane or three",
                 where, count, count == 1 ? "" : "s");
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

/* The samples of one row lie side by side, and words at even addresses. */
static bool check_layout(const Samples *samples, Py_ssize_t step, const char *where)
{
    if ((samples->width > 1 && step != samples->bytes) ||
        (samples->bytes == 2 && (((uintptr_t)samples->data | (size_t)samples->stride) & 1))) {
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

static bool take_buffer(Samples *samples, PyObject *array, const char *where)
{
    Py_buffer *view = &samples->view;
    if (PyObject_GetBuffer(array, view, PyBUF_RECORDS_RO))
        return false;
    const char *type = view->format ? view->format : "B";
    const char own = *(const unsigned char *)&(uint16_t){1} ? '<' : '>';
    const char *bare = type + (*type == '@' || *type == '=' || *type == own);
    if (strcmp(bare, "B") && strcmp(bare, "H"))
        return refuse_type(where, type, strchr("efd", *bare) && *bare);
    if (view->ndim != 2)
        return refuse_dimensions(where, view->ndim);
    samples->bytes = (int)view->itemsize;
    samples->data = view->buf;
    samples->height = view->shape[0];
    samples->width = view->shape[1];
    samples->stride = view->strides[0];
    return check_layout(samples, view->strides[1], where);
}

/* The tensor that the capsule holds, which is ours from here on. */
static const DLTensor *open_capsule(Samples *samples, PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        samples->versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
        if (samples->versioned->version.major == 1)
            return &samples->versioned->tensor;
        PyErr_SetString(PyExc_BufferError, "__dlpack__ gave a tensor of a version other than 1");
        return NULL;
    }
    samples->managed = PyCapsule_GetPointer(capsule, "dltensor");
    if (!samples->managed)
        return NULL;
    PyCapsule_SetName(capsule, "used_dltensor");
    return &samples->managed->tensor;
}

static PyObject *call_dlpack(PyObject *array)
{
    PyObject *method = PyObject_GetAttrString(array, "__dlpack__"), *none = PyTuple_New(0);
    PyObject *newest = Py_BuildValue("{s(ii)}", "max_version", 1, 0), *capsule = NULL;
    if (method && none && newest) {
        capsule = PyObject_Call(method, none, newest);
        if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            capsule = PyObject_Call(method, none, NULL);
        }
    }
    Py_XDECREF(method);
    Py_XDECREF(none);
    Py_XDECREF(newest);
    return capsule;
}

/* Nothing is downloaded silently. */
static bool on_host(PyObject *array, const char *where)
{
    int type = 0, id = 0;
    PyObject *place = PyObject_CallMethod(array, "__dlpack_device__", NULL);
    const bool told = place && PyArg_ParseTuple(place, "ii", &type, &id);
    Py_XDECREF(place);
    if (!told || type == DL_CPU || type == DL_CUDA_HOST)
        return told;
    PyErr_Format(PyExc_TypeError,
                 "%s is on a device (DLPack type %d): planes are taken from host memory; x.cpu() copies", where,
                 type);
    return false;
}

static bool take_dlpack(Samples *samples, PyObject *array, const char *where)
{
    if (!on_host(array, where))
        return false;
    PyObject *capsule = call_dlpack(array);
    const DLTensor *tensor = capsule ? open_capsule(samples, capsule) : NULL;
    Py_XDECREF(capsule);
    if (!tensor)
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
    if (tensor->dtype.lanes != 1 ||
        !((code == DL_UINT && (bits == 8 || bits == 16)) || (code == DL_INT && bits == 16)))
        return refuse_type(where, type, code == DL_FLOAT);
    if (tensor->ndim != 2)
        return refuse_dimensions(where, tensor->ndim);
    samples->bytes = bits / 8;
    samples->data = (const char *)tensor->data + tensor->byte_offset;
    samples->height = (Py_ssize_t)tensor->shape[0];
    samples->width = (Py_ssize_t)tensor->shape[1];
    samples->stride = (Py_ssize_t)(tensor->strides ? tensor->strides[0] : tensor->shape[1]) * samples->bytes;
    return check_layout(samples, tensor->strides ? (Py_ssize_t)tensor->strides[1] * samples->bytes : samples->bytes,
                        where);
}

bool samples_take(Samples *samples, PyObject *array, const char *where)
{
    *samples = (Samples){0};
    if (PyObject_CheckBuffer(array))
        return take_buffer(samples, array, where);
    if (PyObject_HasAttrString(array, "__dlpack__"))
        return take_dlpack(samples, array, where);
    PyObject *name = PyType_GetName(Py_TYPE(array));
    PyErr_Format(PyExc_TypeError, "%s is a %S: a plane is an array with the buffer protocol or DLPack", where,
                 name ? name : Py_None);
    Py_XDECREF(name);
    return false;
}

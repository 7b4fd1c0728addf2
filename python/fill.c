/* The class methods of fovea.Frame that make frames from other memory. */
#include <string.h>

#include "format.h"
#include "frame.h"
#include "rgb.h"

/* Wraps a frame that was filled, or raises the library's error. */
static PyObject *wrap_frame(Core *core, FvStatus status, const FvError *error, FvFrame **frame)
{
    if (!status)
        return frame_wrap(core, *frame);
    fv_frame_unref(frame);
    return core_raise(core, error);
}

/* ---- Planes -----------------------------------------------------------------------------------------------------
 */

static PyObject *from_planes(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"planes", "format", NULL};
    Taking taking = {.core = core_of_type((PyTypeObject *)type), .says_planes = true};
    PyObject *planes, *format = Py_None;
    FvFrame *frame;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:from_planes", names, &planes, &format) ||
        (format != Py_None && !format_read(taking.core, &taking.known, &taking.has_chroma, format)) ||
        !frame_of(&taking, planes, "planes", &frame))
        return NULL;
    return frame_wrap(taking.core, frame);
}

/* ---- Bytes ------------------------------------------------------------------------------------------------------
 */

/* The memory of a frame of a format and layout. */
typedef struct Bytes {
    FvFormat format;
    const char *layout; /* NULL: a plane for each component */
    int planes;
    Py_ssize_t row[3], rows[3]; /* bytes of a row, and number of rows, of each plane */
    const void *data[3];
    ptrdiff_t stride[3];
} Bytes;

static void measure_samples(Bytes *bytes)
{
    bytes->planes = bytes->layout ? 1 + (fv_raw_layout_row(bytes->layout, bytes->format.width, 1) > 0)
                                  : fv_format_planes(&bytes->format);
    for (int i = 0; i < bytes->planes; i++) {
        int width, height;
        fv_format_plane_size(&bytes->format, i, &width, &height);
        bytes->rows[i] = height;
        bytes->row[i] = bytes->layout ? (Py_ssize_t)fv_raw_layout_row(bytes->layout, bytes->format.width, i)
                                      : (Py_ssize_t)width * fv_format_sample_bytes(&bytes->format);
    }
}

/* Sets one plane from a buffer: an array of rows, or bytes with a distance from row to row. 0: they are consecutive.
 */
static bool take_plane(Bytes *bytes, int i, const Py_buffer *view, Py_ssize_t stride)
{
    Py_ssize_t inner = view->itemsize;
    for (int d = view->ndim - 1; d > 0; d--) {
        if (view->strides && view->shape[d] > 1 && view->strides[d] != inner) {
            PyErr_Format(PyExc_TypeError, "data[%d]: the bytes of a row do not lie side by side", i);
            return false;
        }
        inner *= view->shape[d];
    }
    const bool lines = view->ndim > 1;
    if (!lines && view->ndim == 1 && view->strides && view->shape[0] > 1 && view->strides[0] != view->itemsize) {
        PyErr_Format(PyExc_TypeError, "data[%d]: its bytes do not lie side by side", i);
        return false;
    }
    const Py_ssize_t own = lines ? (view->strides ? view->strides[0] : inner) : stride ? stride : bytes->row[i];
    if (stride && (stride < bytes->row[i] || (stride != own && bytes->rows[i] > 1))) {
        PyErr_Format(PyExc_ValueError, "strides[%d] is %zd; %s %zd bytes%s", i, stride,
                     stride < bytes->row[i] ? "a row has" : "the rows of this array are",
                     stride < bytes->row[i] ? bytes->row[i] : own, stride < bytes->row[i] ? "" : " apart");
        return false;
    }
    stride = own;
    bytes->data[i] = view->buf;
    bytes->stride[i] = stride;
    if (lines ? view->shape[0] >= bytes->rows[i] && inner >= bytes->row[i]
              : stride >= bytes->row[i] && (view->len - bytes->row[i]) / stride >= bytes->rows[i] - 1 &&
                    view->len >= bytes->row[i])
        return true;
    PyErr_Format(PyExc_ValueError, "data[%d] has %zd bytes%s: %zd rows of %zd bytes are needed", i, view->len,
                 lines ? " in its rows" : "", bytes->rows[i], bytes->row[i]);
    return false;
}

/* Sets all planes from one buffer, in which they are consecutive. */
static bool take_all(Bytes *bytes, const Py_buffer *view)
{
    Py_ssize_t at = 0;
    for (int i = 0; i < bytes->planes; i++) {
        bytes->data[i] = (const char *)view->buf + at;
        bytes->stride[i] = bytes->row[i];
        at += bytes->row[i] * bytes->rows[i];
    }
    if (view->len == at)
        return true;
    PyErr_Format(PyExc_ValueError, "data has %zd bytes: a frame of this format%s%s has %zd", view->len,
                 bytes->layout ? " and layout " : "", bytes->layout ? bytes->layout : "", at);
    return false;
}

/* Reads the distance from row to row of plane i, at least 1. false after an exception. */
static bool read_stride(PyObject *strides, int i, Py_ssize_t *stride)
{
    PyObject *item = PySequence_GetItem(strides, i);
    PyObject *index = item ? PyNumber_Index(item) : NULL;
    *stride = index ? PyLong_AsSsize_t(index) : 0;
    if (*stride < 1 && (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError) ||
                        PyErr_ExceptionMatches(PyExc_OverflowError))) {
        PyObject *class = index ? PyExc_ValueError : PyExc_TypeError;
        PyErr_Clear();
        PyErr_Format(class, "strides[%d] is %R; it must be a whole number of bytes, 1 or more", i,
                     item ? item : strides);
    }
    Py_XDECREF(index);
    Py_XDECREF(item);
    return !PyErr_Occurred();
}

/* Gets the bytes of plane i. false after an exception. */
static bool read_bytes(PyObject *list, int i, Py_buffer *view)
{
    PyObject *item = PySequence_GetItem(list, i);
    const bool good = item && !PyObject_GetBuffer(item, view, PyBUF_STRIDED_RO | PyBUF_FORMAT);
    if (!good && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "data[%d] is %R; it must be a bytes-like object", i, item ? item : list);
    }
    Py_XDECREF(item);
    return good;
}

static bool take_list(Bytes *bytes, PyObject *list, PyObject *strides, Py_buffer views[3])
{
    if (PyUnicode_Check(list) || !PySequence_Check(list))
        return PyErr_Format(PyExc_TypeError,
                            "data is %R; it must be a bytes-like object, or a list with one for each plane", list);
    if (strides != Py_None && (PyUnicode_Check(strides) || !PySequence_Check(strides)))
        return PyErr_Format(PyExc_TypeError, "strides is %R; it must be a list with a number for each plane",
                            strides);
    if (PyObject_CheckBuffer(list))
        return PyErr_Format(PyExc_ValueError, "strides are for data that is a list with an object for each plane");
    if (PySequence_Size(list) != bytes->planes || (strides != Py_None && PySequence_Size(strides) != bytes->planes)) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "%s has another number of planes than the format, %d",
                         PySequence_Size(list) != bytes->planes ? "data" : "strides", bytes->planes);
        return false;
    }
    for (int i = 0; i < bytes->planes; i++) {
        Py_ssize_t stride = 0;
        if ((strides != Py_None && !read_stride(strides, i, &stride)) || !read_bytes(list, i, &views[i]) ||
            !take_plane(bytes, i, &views[i], stride))
            return false;
    }
    return true;
}

static bool bytes_format(const Core *core, Bytes *bytes, PyObject *format)
{
    bool has_chroma;
    FvFormat layout = {0};
    if (!format_read(core, &bytes->format, &has_chroma, format))
        return false;
    if (bytes->layout && !fv_raw_layout(bytes->layout, &layout)) {
        PyErr_Format(PyExc_ValueError, "layout is '%s'; it must be a name such as nv12, p010, uyvy422 or v210",
                     bytes->layout);
        return false;
    }
    if (bytes->layout && !has_chroma)
        bytes->format.chroma = layout.chroma;
    if (!bytes->format.depth)
        bytes->format.depth = bytes->layout ? layout.depth : 8;
    if (bytes->layout && (bytes->format.chroma != layout.chroma || bytes->format.depth != layout.depth)) {
        PyErr_Format(PyExc_ValueError,
                     "layout %s is of %d bits and has a chroma format of its own, unlike the format", bytes->layout,
                     layout.depth);
        return false;
    }
    if (!bytes->format.width || !bytes->format.height || (!bytes->layout && !has_chroma)) {
        PyErr_Format(PyExc_ValueError, "format.%s is missing",
                     !bytes->format.width    ? "width"
                     : !bytes->format.height ? "height"
                                             : "chroma");
        return false;
    }
    return true;
}

static PyObject *from_bytes(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"format", "data", "layout", "strides", NULL};
    Core *core = core_of_type((PyTypeObject *)type);
    PyObject *format, *data, *layout = Py_None, *strides = Py_None;
    Bytes bytes = {.layout = NULL};
    Py_buffer views[3] = {{.obj = NULL}, {.obj = NULL}, {.obj = NULL}};
    FvFrame *frame = NULL;
    FvError error = {0};
    FvStatus status = FV_OK;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OO:from_bytes", names, &format, &data, &layout, &strides) ||
        !core_argument_text(layout, "layout", true, &bytes.layout) || !bytes_format(core, &bytes, format))
        return NULL;
    if (fv_frame_alloc(&frame, &bytes.format, &error)) /* also checks the format */
        return format_refused(core, &error);
    measure_samples(&bytes);
    const bool good = PyObject_CheckBuffer(data) && strides == Py_None
                          ? !PyObject_GetBuffer(data, &views[0], PyBUF_SIMPLE) && take_all(&bytes, &views[0])
                          : take_list(&bytes, data, strides, views);
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        status = bytes.layout ? fv_frame_fill_layout(frame, bytes.layout, bytes.data, bytes.stride, &error)
                              : fv_frame_fill(frame, bytes.data, bytes.stride, &error);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 3; i++)
        if (views[i].obj)
            PyBuffer_Release(&views[i]);
    if (good)
        return wrap_frame(core, status, &error, &frame);
    fv_frame_unref(&frame);
    return NULL;
}

PyMethodDef frame_makers[] = {
    {"from_planes", (PyCFunction)(void (*)(void))from_planes, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_planes($type, planes, format=None)\n--\n\n"
     "A copy of planes, arrays as Session.push() takes them. format: a Format with what arrays cannot tell."},
    {"from_rgb", (PyCFunction)(void (*)(void))frame_from_rgb, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     frame_from_rgb_help},
    {"from_bytes", (PyCFunction)(void (*)(void))from_bytes, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_bytes($type, format, data, layout=None, strides=None)\n--\n\n"
     "A frame as decoders give it. data: one bytes-like object with all planes one after the other, or a list with "
     "one\n"
     "for each plane; strides: their bytes from row to row. Arrays of two dimensions or more have rows of their "
     "own.\n"
     "layout: None (a plane for each component) or a name of libav: nv12, p010, yuyv422, uyvy422, v210, ...; it "
     "says\n"
     "chroma and depth where the format does not. Samples above 8 bits have 16, the lower byte first in layouts."},
    {0},
};

#include "frame.h"

#include <string.h>

#include "format.h"

typedef struct Plane {
    PyObject_HEAD Frame *owner;
    int index;
    Py_ssize_t shape[2], strides[2];
} Plane;

static PyObject *frame_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"format", NULL};
    PyObject *object;
    FvFormat format;
    FvError error = {0};
    bool has_chroma;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Frame", names, &object) ||
        !format_read(core_of_type(type), &format, &has_chroma, object))
        return NULL;
    if (!has_chroma)
        return PyErr_Format(PyExc_ValueError, "Format.chroma is missing: a frame needs all of its format");
    format.depth = format.depth ? format.depth : 8;
    Frame *self = core_new(type);
    if (self && fv_frame_alloc(&self->frame, &format, &error)) {
        format_refused(core_of_type(type), &error);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

PyObject *frame_wrap(Core *core, FvFrame *frame)
{
    Frame *self = core_new(core->frame);
    if (!self) {
        fv_frame_unref(&frame);
        return NULL;
    }
    self->frame = frame;
    atomic_init(&self->pushed, true);
    return (PyObject *)self;
}

PyObject *frame_wrap_tensor(Core *core, const RgbTensor *tensor)
{
    Frame *self = core_new(core->frame);
    if (!self)
        return NULL;
    self->tensor = *tensor;
    Py_INCREF(tensor->array);
    atomic_init(&self->pushed, true);
    return (PyObject *)self;
}

static void frame_dealloc(PyObject *self)
{
    Py_XDECREF(((Frame *)self)->tensor.array);
    fv_frame_unref(&((Frame *)self)->frame);
    core_free(self);
}

static PyObject *frame_planes(PyObject *self, void *unused)
{
    Frame *frame = (Frame *)self;
    if (!frame->frame) {
        PyErr_SetString(PyExc_BufferError, "the frame is a tensor on a device, and has no planes in host memory");
        return NULL;
    }
    const FvFormat *format = &frame->frame->format;
    const int count = fv_format_planes(format);
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        Plane *plane = core_new(core_of(self)->plane);
        int width = 0, height = 0;
        fv_format_plane_size(format, i, &width, &height);
        if (plane) {
            plane->owner = (Frame *)Py_NewRef(self);
            plane->index = i;
            plane->shape[0] = height;
            plane->shape[1] = width;
            plane->strides[0] = frame->frame->stride[i];
            plane->strides[1] = fv_format_sample_bytes(format);
        }
        PyObject *view = plane ? PyMemoryView_FromObject((PyObject *)plane) : NULL;
        Py_XDECREF((PyObject *)plane);
        if (!view || PyTuple_SetItem(tuple, i, view))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *frame_format(PyObject *self, void *unused)
{
    const Frame *frame = (Frame *)self;
    return format_make(core_of(self), frame->frame ? &frame->frame->format : &frame->tensor.format);
}

static void plane_dealloc(PyObject *self)
{
    Py_XDECREF((PyObject *)((Plane *)self)->owner);
    core_free(self);
}

static int plane_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Plane *plane = (Plane *)self;
    const bool readonly = atomic_load(&plane->owner->pushed);
    view->obj = NULL;
    if (readonly && (flags & PyBUF_WRITABLE)) {
        PyErr_SetString(PyExc_BufferError, "the frame was pushed: its samples must not change");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "the rows of a plane are padded: strides are needed");
        return -1;
    }
    *view = (Py_buffer){.buf = plane->owner->frame->data[plane->index],
                        .obj = Py_NewRef(self),
                        .itemsize = plane->strides[1],
                        .len = plane->shape[0] * plane->shape[1] * plane->strides[1],
                        .readonly = readonly,
                        .ndim = 2,
                        .format = plane->strides[1] == 2 ? "H" : "B",
                        .shape = plane->shape,
                        .strides = plane->strides};
    atomic_fetch_add(&plane->owner->views, !readonly);
    return 0;
}

static void plane_release(PyObject *self, Py_buffer *view)
{
    atomic_fetch_sub(&((Plane *)self)->owner->views, !view->readonly);
}

/* ---- Frames of arrays ----------------------------------------------------------------------------------------- */

/* Finds the chroma format from the sizes of three planes; -1: none fits. */
static int chroma_of(const Samples planes[3])
{
    for (int chroma = FV_CHROMA_444; chroma >= FV_CHROMA_420; chroma--) {
        const FvFormat format = {
            .width = (int)planes[0].width, .height = (int)planes[0].height, .chroma = (FvChroma)chroma, .depth = 8};
        int width, height, fit = 0;
        for (int i = 1; i < 3; i++) {
            fv_format_plane_size(&format, i, &width, &height);
            fit += planes[i].width == width && planes[i].height == height;
        }
        if (fit == 2)
            return chroma;
    }
    return -1;
}

/* Returns whether the planes have this size and chroma format. */
static bool fits(const FvFormat *format, const Samples *planes, int count)
{
    bool good = fv_format_planes(format) == count;
    for (int i = 0; i < count && good; i++) {
        int width, height;
        fv_format_plane_size(format, i, &width, &height);
        good = planes[i].width == width && planes[i].height == height;
    }
    return good;
}

static bool format_of(FvFormat *format, const Samples *planes, int count, const FvFormat *known, bool has_chroma,
                      const char *where)
{
    *format = *known;
    for (int i = 0; i < count; i++)
        if (planes[i].width > FV_MAX_SIDE || planes[i].height > FV_MAX_SIDE || planes[i].bytes != planes[0].bytes) {
            PyErr_Format(PyExc_ValueError,
                         planes[i].bytes != planes[0].bytes ? "%s[%d] and %s[0] have samples of different types"
                                                            : "%s[%d] is larger than 32768 samples",
                         where, i, where);
            return false;
        }
    format->width = (int)planes[0].width;
    format->height = (int)planes[0].height;
    if (known->width && (known->width != format->width || known->height != format->height)) {
        PyErr_Format(PyExc_ValueError, "%s[0] has %d x %d samples (height x width); the session's format is %d x %d",
                     where, format->height, format->width, known->height, known->width);
        return false;
    }
    const int chroma = has_chroma ? (int)known->chroma : count == 1 ? FV_CHROMA_400 : chroma_of(planes);
    format->chroma = (FvChroma)chroma;
    if (chroma < 0 || !fits(format, planes, count)) {
        char sizes[160] = "";
        for (int i = 0; i < count; i++)
            snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%zd x %zd", i ? ", " : "",
                     planes[i].height, planes[i].width);
        PyErr_Format(PyExc_ValueError, "%s: planes of %s (height x width) do not make a picture together%s", where,
                     sizes, has_chroma ? ", by the chroma of format" : "");
        return false;
    }
    if (planes[0].bytes == 2 && known->depth < 9) {
        PyErr_Format(PyExc_ValueError,
                     "%s[0] is uint16: say how many bits count, from 9 to 16, with format=fovea.Format(depth=10)",
                     where);
        return false;
    }
    if (planes[0].bytes == 1 && known->depth > 8) {
        PyErr_Format(PyExc_ValueError, "%s[0] is uint8, but the format's depth is %d bits", where, known->depth);
        return false;
    }
    format->depth = planes[0].bytes == 1 ? 8 : known->depth;
    if (format->chroma == FV_CHROMA_RGB)
        format_rgb(format);
    return true;
}

/* Returns whether the object looks like av.VideoFrame, from which _av.py makes a fovea.Frame. */
static bool is_av(PyObject *object)
{
    return PyObject_HasAttrString(object, "planes") && PyObject_HasAttrString(object, "format") &&
           PyObject_HasAttrString(object, "pict_type");
}

static bool frame_of_av(const Taking *taking, PyObject *object, const char *where, FvFrame **frame)
{
    PyObject *module = PyImport_ImportModule("fovea._av");
    PyObject *made = module ? PyObject_CallMethod(module, "frame_of", "Os", object, where) : NULL;
    Py_XDECREF(module);
    if (made && PyObject_TypeCheck(made, taking->core->frame)) {
        FvFormat *format = &((Frame *)made)->frame->format;
        const FvFormat *known = &taking->known;
        format->range = format->range ? format->range : known->range;
        format->transfer = format->transfer ? format->transfer : known->transfer;
        format->primaries = format->primaries ? format->primaries : known->primaries;
        format->matrix = format->matrix ? format->matrix : known->matrix;
        format->siting = format->siting ? format->siting : known->siting;
        format->peak = format->peak ? format->peak : known->peak;
        format->rate_num = known->rate_num;
        format->rate_den = known->rate_den;
        *frame = fv_frame_ref(((Frame *)made)->frame);
    }
    Py_XDECREF(made);
    return *frame != NULL;
}

/*
 * Returns whether an array of three planes could be Y'CbCr or RGB. Their scores differ, so the caller must say which
 * it is.
 */
static bool could_be_rgb(const Taking *taking, PyObject *object, const char *where)
{
    if (taking->says_planes || taking->has_chroma || samples_dimensions(object) != 3)
        return false;
    PyErr_Format(PyExc_ValueError,
                 "%s is one array of 3 dimensions, which could be RGB or Y'CbCr: say fovea.Frame.from_rgb(array), or "
                 "fovea.Frame.from_planes(array) of Y, Cb and Cr",
                 where);
    return true;
}

/* Reads one plane, or a sequence of planes. Returns their number, or -1 after an exception. */
static int take_planes(Samples planes[3], PyObject *object, FvSession *session, const char *where)
{
    char name[64];
    if (samples_in_buffer(object)) {
        Py_buffer view;
        if (PyObject_GetBuffer(object, &view, PyBUF_RECORDS_RO))
            return -1;
        const int dimensions = view.ndim;
        PyBuffer_Release(&view);
        if (dimensions == 2)
            return samples_take(&planes[0], object, session, where) ? 1 : -1;
    }
    const Py_ssize_t count = PyDict_Check(object) ? -1 : PyObject_Size(object);
    if (count != 1 && count != 3) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError,
                     "%s is not a fovea.Frame, and not a list of one plane or three (Y, Cb, Cr), each "
                     "height x width",
                     where);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s[%d]", where, i);
        /* Tensors do not implement the sequence protocol, but support indexing. */
        PyObject *place = PyLong_FromLong(i);
        PyObject *array = place ? PyObject_GetItem(object, place) : NULL;
        Py_XDECREF(place);
        const bool good = array && samples_take(&planes[i], array, session, name);
        Py_XDECREF(array);
        if (!good)
            return -1;
        if (planes[i].on_device != planes[0].on_device) {
            PyErr_Format(PyExc_TypeError, "%s is not where %s[0] is: one of them is on a device", name, where);
            return -1;
        }
    }
    return (int)count;
}

static FvStatus make_frame(const Taking *taking, FvFrame **frame, const FvFormat *format, Samples planes[3],
                           FvError *error)
{
    if (planes[0].on_device)
        return held_tensors_wrap(taking->tensors, taking->session, frame, format, planes, error);
    const void *const data[3] = {planes[0].data, planes[1].data, planes[2].data};
    const ptrdiff_t stride[3] = {planes[0].stride, planes[1].stride, planes[2].stride};
    FvStatus status = fv_frame_alloc(frame, format, error);
    if (!status)
        status = fv_frame_fill(*frame, data, stride, error);
    if (status)
        fv_frame_unref(frame);
    return status;
}

bool frame_of(const Taking *taking, PyObject *object, const char *where, FvFrame **frame)
{
    *frame = NULL;
    if (PyObject_TypeCheck(object, taking->core->frame)) {
        Frame *own = (Frame *)object;
        if (atomic_load(&own->views)) {
            PyErr_Format(PyExc_BufferError,
                         "%s: arrays of the frame can still be written: delete them before pushing", where);
            return false;
        }
        atomic_store(&own->pushed, true);
        *frame = own->frame ? fv_frame_ref(own->frame) : rgb_tensor_push(&own->tensor, taking->session, where);
        return *frame;
    }
    if (is_av(object))
        return frame_of_av(taking, object, where, frame);
    Samples planes[3] = {{0}};
    FvFormat format;
    FvError error = {0};
    const int count = could_be_rgb(taking, object, where) ? -1 : take_planes(planes, object, taking->session, where);
    const bool good = count > 0 && format_of(&format, planes, count, &taking->known, taking->has_chroma, where);
    FvStatus status = FV_OK;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        status = make_frame(taking, frame, &format, planes, &error);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 3; i++)
        samples_release(&planes[i]);
    if (status)
        core_raise(taking->core, &error);
    return good && !status;
}

static PyGetSetDef frame_members[] = {
    {"planes", frame_planes, NULL,
     "A memoryview of each plane: height x width, 'B' or 'H', rows padded. Writable until the frame is pushed.",
     NULL},
    {"format", frame_format, NULL, "The fovea.Format.", NULL},
    {0},
};
static PyType_Slot frame_slots[] = {
    {Py_tp_doc,
     "Frame(format)\n--\n\n"
     "A picture in the library's memory, planar Y'CbCr, its samples undefined at first as numpy.empty's are.\n"
     "Pushing it copies nothing; the views of its planes must be gone by then (BufferError)."},
    {Py_tp_new, frame_new},
    {Py_tp_dealloc, frame_dealloc},
    {Py_tp_getset, frame_members},
    {Py_tp_methods, frame_makers},
    {0},
};
PyType_Spec frame_spec = {"fovea.Frame", sizeof(Frame), 0, Py_TPFLAGS_DEFAULT, frame_slots};

static PyType_Slot plane_slots[] = {
    {Py_tp_dealloc, plane_dealloc}, {Py_bf_getbuffer, plane_buffer}, {Py_bf_releasebuffer, plane_release}, {0}};
PyType_Spec plane_spec = {"fovea.Plane", sizeof(Plane), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          plane_slots};

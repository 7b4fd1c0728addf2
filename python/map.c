#include "map.h"

#include <stdlib.h>
#include <string.h>
#include <structmember.h>

typedef struct Map {
    PyObject_HEAD float *numbers;
    Py_ssize_t shape[2], strides[2];
    const char *name, *metric, *unit;
    double minimum, maximum, shown;
    long long number;
} Map;

float *map_copy(const FvMap *map)
{
    const size_t row = (size_t)map->width;
    float *numbers = malloc((size_t)map->height * row * sizeof *numbers);
    for (int y = 0; numbers && y < map->height; y++)
        memcpy(numbers + (size_t)y * row, map->data + y * map->stride, row * sizeof *numbers);
    return numbers;
}

PyObject *map_make(Core *core, float *numbers, const FvMap *map, const char *metric)
{
    Map *self = numbers ? core_new(core->map) : NULL;
    if (!self) {
        free(numbers);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    self->numbers = numbers;
    self->shape[0] = map->height;
    self->shape[1] = map->width;
    self->strides[0] = map->width * (Py_ssize_t)sizeof *numbers;
    self->strides[1] = sizeof *numbers;
    self->name = map->info->name;
    self->metric = metric;
    self->unit = map->info->unit ? map->info->unit : "";
    self->minimum = map->minimum;
    self->maximum = map->maximum;
    self->shown = map->info->shown;
    self->number = map->number;
    return (PyObject *)self;
}

static void map_dealloc(PyObject *self)
{
    free(((Map *)self)->numbers);
    core_free(self);
}

static int map_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Map *map = (Map *)self;
    view->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a map is read-only");
        return -1;
    }
    *view = (Py_buffer){.buf = map->numbers,
                        .obj = Py_NewRef(self),
                        .itemsize = sizeof *map->numbers,
                        .len = map->shape[0] * map->strides[0],
                        .readonly = true,
                        .ndim = 2,
                        .format = flags & PyBUF_FORMAT ? "f" : NULL,
                        .shape = flags & PyBUF_ND ? map->shape : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? map->strides : NULL};
    return 0;
}

static PyObject *map_shape(PyObject *self, void *unused)
{
    const Map *map = (Map *)self;
    return Py_BuildValue("(nn)", map->shape[0], map->shape[1]);
}

static PyGetSetDef map_properties[] = {{"shape", map_shape, NULL, "(height, width)", NULL}, {0}};
static PyMemberDef map_members[] = {
    {"name", T_STRING, offsetof(Map, name), READONLY, "of the map"},
    {"metric", T_STRING, offsetof(Map, metric), READONLY, "the metric's name"},
    {"unit", T_STRING, offsetof(Map, unit), READONLY, "'JND', ...; '' for none"},
    {"minimum", T_DOUBLE, offsetof(Map, minimum), READONLY, "no value is below it"},
    {"maximum", T_DOUBLE, offsetof(Map, maximum), READONLY, "no value is above it; may be inf"},
    {"shown", T_DOUBLE, offsetof(Map, shown), READONLY, "up to where pictures usually show it; 0: none is usual"},
    {"number", T_LONGLONG, offsetof(Map, number), READONLY, "of the frame"},
    {0},
};
static PyType_Slot map_slots[] = {
    {Py_tp_doc,
     "The numbers of a picture: a read-only buffer of float32, height x width, in C order, which owns its memory.\n"
     "Its size is the metric's, not always the picture's."},
    {Py_tp_dealloc, map_dealloc},
    {Py_tp_getset, map_properties},
    {Py_tp_members, map_members},
    {Py_bf_getbuffer, map_buffer},
    {0},
};
PyType_Spec map_spec = {"fovea.Map", sizeof(Map), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        map_slots};

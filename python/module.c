/* fovea._fovea: the part of the package that is written in C. */
#include "core.h"

#include "alone.h"
#include "describe.h"
#include "frame.h"
#include "look.h"
#include "map.h"
#include "model.h"
#include "report.h"
#include "score.h"
#include "session_type.h"
#include "stop.h"

static PyMethodDef functions[] = {
    {"metrics", describe_metrics, METH_NOARGS, NULL},
    {"params", describe_params, METH_NOARGS, NULL},
    {"check", describe_check, METH_VARARGS, NULL},
    {"devices", describe_devices, METH_NOARGS, NULL},
    {"processors", describe_processors, METH_NOARGS, NULL},
    {"read_report", report_read, METH_VARARGS, NULL},
    {"convert_report", report_convert, METH_VARARGS, NULL},
    {"write_file", report_write, METH_VARARGS, NULL},
    {"score_encodes", session_score_encodes, METH_VARARGS, NULL},
    {"bd_rate", alone_bd_rate, METH_VARARGS, NULL},
    {"align", alone_align, METH_VARARGS, NULL},
    {"find_bars", alone_find_bars, METH_VARARGS, NULL},
    {"verify_device", alone_verify_device, METH_VARARGS, NULL},
    {0},
};

/* Returns the built-in class from which the exception class of a status also derives. */
static PyObject *class_beside(FvStatus status)
{
    switch (status) {
    case FV_ERROR_USAGE:
        return PyExc_ValueError;
    case FV_ERROR_INPUT:
    case FV_ERROR_OUTPUT:
        return PyExc_OSError;
    case FV_ERROR_MEMORY:
        return PyExc_MemoryError;
    default:
        return PyExc_RuntimeError;
    }
}

static bool add_errors(PyObject *module, Core *core)
{
    static const struct {
        const char *name, *text;
    } classes[] = {
        [FV_ERROR_USAGE] = {"UsageError", "An argument, option or metric name is wrong."},
        [FV_ERROR_INPUT] = {"InputError", "A video cannot be read, or two do not fit together."},
        [FV_ERROR_DEVICE] = {"DeviceError", "A processor, driver or its memory failed."},
        [FV_ERROR_PARTIAL] = {"PartialError", "A later frame failed; `report` has the frames until then."},
        [FV_ERROR_OUTPUT] = {"OutputError", "A report or picture could not be written."},
        [FV_ERROR_MEMORY] = {"OutOfMemoryError", "Host memory ran out."},
    };
    PyObject *base = PyErr_NewExceptionWithDoc(
        "fovea.Error",
        "What the library refuses, in its words. `status` is also the command's exit code, and `code` a word that\n"
        "stays as it is: docs/stability.md. `report` has the frames that were scored before, or is None.",
        NULL, NULL);
    PyObject *usage = PyUnicode_FromString("usage"); /* the code of errors that Python code of the package raises */
    bool good = base && usage && !PyObject_SetAttrString(base, "report", Py_None) &&
                !PyObject_SetAttrString(base, "code", usage) && !PyModule_AddObjectRef(module, "Error", base);
    for (int status = FV_ERROR_USAGE; status <= FV_ERROR_MEMORY && good; status++) {
        char name[40];
        snprintf(name, sizeof name, "fovea.%s", classes[status].name);
        PyObject *bases = PyTuple_Pack(2, base, class_beside((FvStatus)status)), *number = PyLong_FromLong(status);
        core->errors[status] = bases ? PyErr_NewExceptionWithDoc(name, classes[status].text, bases, NULL) : NULL;
        good = core->errors[status] && number && !PyObject_SetAttrString(core->errors[status], "status", number) &&
               !PyModule_AddObjectRef(module, classes[status].name, core->errors[status]);
        Py_XDECREF(bases);
        Py_XDECREF(number);
    }
    Py_XDECREF(base);
    Py_XDECREF(usage);
    return good;
}

static bool add_type(PyObject *module, PyTypeObject **type, PyType_Spec *spec)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type && !PyModule_AddType(module, *type);
}

static bool add_names(PyObject *module)
{
    PyObject *pools = PyTuple_New(FV_POOL_COUNT);
    for (int i = 0; pools && i < FV_POOL_COUNT; i++)
        PyTuple_SetItem(pools, i, PyUnicode_FromString(fv_pool_name((FvPool)i)));
    PyObject *methods = pools ? alone_methods() : NULL;
    const bool good = methods && !PyModule_AddObjectRef(module, "pools", pools) &&
                      !PyModule_AddObjectRef(module, "bd_methods", methods);
    Py_XDECREF(pools);
    Py_XDECREF(methods);
    return good;
}

static int start(PyObject *module)
{
    Core *core = PyModule_GetState(module);
    PyObject *formats = PyImport_ImportModule("fovea._format");
    core->format = formats ? PyObject_GetAttrString(formats, "Format") : NULL;
    Py_XDECREF(formats);
    const bool good = core->format && add_errors(module, core) && add_type(module, &core->frame, &frame_spec) &&
                      add_type(module, &core->plane, &plane_spec) && add_type(module, &core->map, &map_spec) &&
                      add_type(module, &core->session, &session_spec) &&
                      add_type(module, &core->pairs, &pairs_spec) && add_type(module, &core->still, &still_spec) &&
                      add_type(module, &core->stop, &stop_spec) && add_type(module, &core->model, &model_spec) &&
                      add_names(module) && !PyModule_AddStringConstant(module, "version", fv_version()) &&
                      !PyModule_AddIntConstant(module, "numerics_version", fv_numerics_version());
    return good ? 0 : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    Core *core = PyModule_GetState(module);
    Py_VISIT(core->frame);
    Py_VISIT(core->plane);
    Py_VISIT(core->map);
    Py_VISIT(core->session);
    Py_VISIT(core->pairs);
    Py_VISIT(core->still);
    Py_VISIT(core->stop);
    Py_VISIT(core->model);
    Py_VISIT(core->format);
    for (int status = 0; status <= FV_ERROR_MEMORY; status++)
        Py_VISIT(core->errors[status]);
    return 0;
}

static int clear(PyObject *module)
{
    Core *core = PyModule_GetState(module);
    Py_CLEAR(core->frame);
    Py_CLEAR(core->plane);
    Py_CLEAR(core->map);
    Py_CLEAR(core->session);
    Py_CLEAR(core->pairs);
    Py_CLEAR(core->still);
    Py_CLEAR(core->stop);
    Py_CLEAR(core->model);
    Py_CLEAR(core->format);
    for (int status = 0; status <= FV_ERROR_MEMORY; status++)
        Py_CLEAR(core->errors[status]);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, start}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,  .m_name = "fovea._fovea", .m_size = sizeof(Core),
                                        .m_methods = functions, .m_slots = slots,         .m_traverse = traverse,
                                        .m_clear = clear};

PyMODINIT_FUNC PyInit__fovea(void);
PyMODINIT_FUNC PyInit__fovea(void)
{
    return PyModuleDef_Init(&definition);
}

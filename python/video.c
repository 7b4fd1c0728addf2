#include "video.h"

bool run_read(const Core *core, FvRunParams *run, PyObject *settings)
{
    const Py_ssize_t count = PyTuple_Size(settings); /* -1 after an exception, if `settings` is no tuple */
    FvError error = {0};
    for (Py_ssize_t i = 0; i + 1 < count; i += 2) {
        const char *name = core_text(PyTuple_GetItem(settings, i), "a keyword");
        const char *value = name ? core_text(PyTuple_GetItem(settings, i + 1), name) : NULL;
        if (!value)
            return false;
        if (fv_run_set(run, name, value, &error)) {
            core_raise(core, &error);
            return false;
        }
    }
    return count >= 0;
}

/* Returns the path of a fovea.Video, which owns it. NULL after an exception. */
static const char *path_of(PyObject *video)
{
    PyObject *path = PyObject_GetAttrString(video, "_path");
    const char *bytes = path ? PyBytes_AsString(path) : NULL;
    Py_XDECREF(path);
    return bytes;
}

bool videos_read(const Core *core, FvRunParams *run, PyObject *reference, PyObject *distorted, PyObject *settings,
                 int metrics, int taking)
{
    FvSourceParams *source = run->source;
    FvError error = {0};
    if ((reference != Py_None && !(source[0].path = path_of(reference))) || !(source[1].path = path_of(distorted)) ||
        !run_read(core, run, settings))
        return false;
    const bool pictures = fv_is_picture(source[1].path) && (!source[0].path || fv_is_picture(source[0].path));
    if (fv_run_settle(run, metrics, taking, pictures, &error)) {
        core_raise(core, &error);
        return false;
    }
    return true;
}

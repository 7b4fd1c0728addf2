#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Returns a report as bytes. */
static PyObject *text_of(Core *core, FvSession *session, FvReportFormat format)
{
    char *text;
    size_t size;
    FvError error = {0};
    FvStatus status = FV_ERROR_MEMORY;
    Py_BEGIN_ALLOW_THREADS
    FILE *file = fv_text_open(&text, &size);
    if (file)
        status = fv_report_print(session, file, format, &error);
    if (!fv_text_close(file, &text) && !status)
        status = FV_ERROR_MEMORY;
    Py_END_ALLOW_THREADS
    PyObject *bytes = status ? core_raise(core, &error) : PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
    free(text);
    return bytes;
}

/* Returns the values of one output, or for a negative `output` the numbers of the frames. */
static PyObject *column_of(const FvSession *session, int output)
{
    const int64_t count = fv_session_frames(session);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)count * 8);
    char *to = bytes ? PyBytes_AsString(bytes) : NULL;
    for (int64_t i = 0; to && i < count; i++) {
        const int64_t number = fv_session_frame_number(session, i);
        const double value = output < 0 ? 0 : fv_session_value(session, i, output);
        memcpy(to + i * 8, output < 0 ? (const void *)&number : (const void *)&value, 8);
    }
    return bytes;
}

PyObject *report_of(Core *core, FvSession *session)
{
    PyObject *json = text_of(core, session, FV_REPORT_JSON), *columns = json ? PyDict_New() : NULL;
    for (int output = -1; columns && output < fv_session_outputs(session); output++) {
        const FvOutputInfo *info = output < 0 ? NULL : fv_session_output(session, output);
        if (info && info->sequence)
            continue;
        PyObject *column = column_of(session, output);
        if (!column || PyDict_SetItemString(columns, info ? info->name : "frame", column))
            Py_CLEAR(columns);
        Py_XDECREF(column);
    }
    if (columns)
        return Py_BuildValue("(NN)", json, columns);
    Py_XDECREF(json);
    return NULL;
}

PyObject *report_rows(const FvSession *session, int64_t first)
{
    PyObject *rows = PyList_New(0);
    const int outputs = fv_session_outputs(session);
    for (int64_t i = first; rows && i < fv_session_frames(session); i++) {
        PyObject *row = PyDict_New();
        for (int output = 0; row && output < outputs; output++) {
            const FvOutputInfo *info = fv_session_output(session, output);
            PyObject *value = info->sequence ? NULL : PyFloat_FromDouble(fv_session_value(session, i, output));
            if (!info->sequence && (!value || PyDict_SetItemString(row, info->name, value)))
                Py_CLEAR(row);
            Py_XDECREF(value);
        }
        PyObject *pair = row ? Py_BuildValue("(LN)", (long long)fv_session_frame_number(session, i), row) : NULL;
        if (!pair || PyList_Append(rows, pair))
            Py_CLEAR(rows);
        Py_XDECREF(pair);
    }
    return rows;
}

/* Opens the session of a JSON report. NULL after an exception. */
static FvSession *read_session(Core *core, const char *path)
{
    FvSession *session = NULL;
    FvError error = {0};
    FvStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = fv_report_read(&session, path, &error);
    Py_END_ALLOW_THREADS
    if (status)
        core_raise(core, &error);
    return session;
}

PyObject *report_read(PyObject *module, PyObject *args)
{
    Core *core = PyModule_GetState(module);
    const char *path;
    if (!PyArg_ParseTuple(args, "y", &path))
        return NULL;
    FvSession *session = read_session(core, path);
    PyObject *report = session ? report_of(core, session) : NULL;
    fv_session_close(&session);
    return report;
}

PyObject *report_convert(PyObject *module, PyObject *args)
{
    Core *core = PyModule_GetState(module);
    const char *path;
    int format;
    if (!PyArg_ParseTuple(args, "yi", &path, &format))
        return NULL;
    FvSession *session = read_session(core, path);
    PyObject *text = session ? text_of(core, session, (FvReportFormat)format) : NULL;
    fv_session_close(&session);
    return text;
}

#define MOST_INPUTS 32

PyObject *report_write(PyObject *module, PyObject *args)
{
    const char *path, *bytes, *inputs[MOST_INPUTS];
    Py_ssize_t size;
    PyObject *list;
    FvOutputParams params = {.files = inputs};
    FvError error = {0};
    if (!PyArg_ParseTuple(args, "yy#O", &path, &bytes, &size, &list))
        return NULL;
    params.path = path;
    for (Py_ssize_t i = 0; i < PyList_Size(list) && i < MOST_INPUTS; i++)
        if (!(inputs[params.file_count++] = PyBytes_AsString(PyList_GetItem(list, i))))
            return NULL;
    FvOutput *output = NULL;
    FvStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = fv_output_open(&output, &params, &error);
    if (!status) {
        fwrite(bytes, 1, (size_t)size, fv_output_file(output));
        status = fv_output_close(&output, &error);
    }
    Py_END_ALLOW_THREADS
    return status ? core_raise(PyModule_GetState(module), &error) : Py_NewRef(Py_None);
}

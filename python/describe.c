#include "describe.h"

#include <string.h>

static const char *const option_types[] = {"bool", "int", "float", "str", "path"};

static PyObject *texts_of(const char *const *texts)
{
    PyObject *list = PyList_New(0);
    for (const char *const *at = texts; list && at && *at; at++) {
        PyObject *text = PyUnicode_FromString(*at);
        if (!text || PyList_Append(list, text))
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *default_of(const FvOptionInfo *option)
{
    switch (option->type) {
    case FV_OPTION_BOOL:
        return PyBool_FromLong(option->value != 0);
    case FV_OPTION_INT:
        return PyLong_FromDouble(option->value);
    case FV_OPTION_REAL:
        return PyFloat_FromDouble(option->value);
    case FV_OPTION_TEXT:
    case FV_OPTION_PATH:
        break;
    }
    return option->text ? PyUnicode_FromString(option->text) : Py_NewRef(Py_None);
}

static PyObject *option_of(const FvMetricInfo *metric, int i)
{
    const FvOptionInfo *option = &metric->options[i];
    return Py_BuildValue("{szszsNsdsdsNszsz}", "name", option->name, "type", option_types[option->type], "default",
                         default_of(option), "minimum", option->minimum, "maximum", option->maximum, "choices",
                         texts_of(option->choices), "unit", option->unit, "help", option->help);
}

static PyObject *output_of(const FvMetricInfo *metric, int i)
{
    const FvOutputInfo *output = &metric->outputs[i];
    return Py_BuildValue("{szszsdsdszsNsz}", "name", output->name, "unit", output->unit, "minimum", output->minimum,
                         "maximum", output->maximum, "better", fv_better_name(output->better), "sequence",
                         PyBool_FromLong(output->sequence), "help", output->help);
}

static PyObject *map_of(const FvMetricInfo *metric, int i)
{
    const FvMapInfo *map = &metric->maps[i];
    return Py_BuildValue("{szszsdsdszsd}", "name", map->name, "unit", map->unit, "minimum", map->minimum, "maximum",
                         map->maximum, "help", map->help, "shown", map->shown);
}

static PyObject *list_of(const FvMetricInfo *metric, int count, PyObject *(*describe)(const FvMetricInfo *, int))
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *item = describe(metric, i);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *metric_of(const FvMetricInfo *unused, int i)
{
    const FvMetricInfo *metric = fv_metric_info(i);
    return Py_BuildValue(
        "{szszszsNsNsNsNsN}", "name", metric->name, "title", metric->title, "citation", metric->citation,
        "needs_reference", PyBool_FromLong(metric->needs_reference), "takes_rgb", PyBool_FromLong(metric->takes_rgb),
        "options", list_of(metric, metric->option_count, option_of), "outputs",
        list_of(metric, metric->output_count, output_of), "maps", list_of(metric, metric->map_count, map_of));
}

PyObject *describe_metrics(PyObject *module, PyObject *unused)
{
    return list_of(NULL, fv_metric_count(), metric_of);
}

static PyObject *param_of(const FvMetricInfo *unused, int i)
{
    static const char *const sides[] = {"run", "each", "both", "all"};
    const FvParamInfo *info = fv_param_info(i);
    const FvOptionInfo *option = &info->option;
    return Py_BuildValue("{szszsdsdszszsIszsNsNszszsN}", "name", option->name, "alias", option->alias, "minimum",
                         option->minimum, "maximum", option->maximum, "type", option_types[option->type], "sides",
                         sides[info->sides], "tasks", info->tasks, "section", info->section, "choices",
                         texts_of(option->choices), "examples", texts_of(info->examples), "form", info->form, "help",
                         option->help, "repeats", PyBool_FromLong(info->repeats));
}

PyObject *describe_params(PyObject *module, PyObject *unused)
{
    return list_of(NULL, fv_param_count(), param_of);
}

PyObject *describe_check(PyObject *module, PyObject *args)
{
    const char *name, *value;
    FvRunParams run = {.allow_hdr = false};
    FvError error = {0};
    if (!PyArg_ParseTuple(args, "ss", &name, &value))
        return NULL;
    if (!fv_run_set(&run, name, value, &error))
        Py_RETURN_NONE;
    /* A Video does not know yet on which side it will be. */
    static const char side[] = "distorted.";
    char *word = strstr(error.message, side);
    if (word)
        memmove(word, word + strlen(side), strlen(word + strlen(side)) + 1);
    return core_raise(PyModule_GetState(module), &error);
}

PyObject *describe_devices(PyObject *module, PyObject *unused)
{
    FvDeviceList *devices = NULL;
    FvError error = {0};
    FvStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = fv_devices_list(&devices, &error);
    Py_END_ALLOW_THREADS
    PyObject *list = status ? core_raise(PyModule_GetState(module), &error) : PyList_New(0);
    for (int i = 0; list && i < fv_devices_count(devices); i++) {
        const FvDeviceInfo *info = fv_devices_info(devices, i);
        PyObject *device =
            Py_BuildValue("{szszszsKsNszszsN}", "name", info->name, "title", info->title, "driver", info->driver,
                          "memory", (unsigned long long)info->memory, "usable", PyBool_FromLong(info->usable),
                          "limits", info->limits, "lacks", info->lacks, "software", PyBool_FromLong(info->software));
        if (!device || PyList_Append(list, device))
            Py_CLEAR(list);
        Py_XDECREF(device);
    }
    fv_devices_close(&devices);
    return list;
}

PyObject *describe_processors(PyObject *module, PyObject *unused)
{
    return PyLong_FromLong(fv_processors());
}

#include "alone.h"

#include <math.h>
#include <string.h>

#include "video.h"
#include "work.h"

/* ---- BD-rate --------------------------------------------------------------------------------------------------- */

/* Reads points from a buffer of pairs of doubles. NULL after an exception. */
static FvBdPoint *read_points(PyObject *object, int *count)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE))
        return NULL;
    const double *numbers = view.buf;
    *count = (int)(view.len / (2 * (Py_ssize_t)sizeof(double)));
    FvBdPoint *points = PyMem_Malloc((size_t)(*count + 1) * sizeof *points);
    for (int i = 0; points && i < *count; i++)
        points[i] = (FvBdPoint){.rate = numbers[2 * i], .quality = numbers[2 * i + 1]};
    PyBuffer_Release(&view);
    if (!points)
        PyErr_NoMemory();
    return points;
}

static PyObject *dropped_of(const FvBd *bd, FvBdSide side)
{
    const FvBdDropped *dropped;
    const int count = fv_bd_dropped(bd, side, &dropped);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *item =
            Py_BuildValue("(dds)", dropped[i].point.rate, dropped[i].point.quality, fv_bd_drop_name(dropped[i].why));
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

PyObject *alone_bd_rate(PyObject *module, PyObject *args)
{
    PyObject *curves[2], *result = NULL;
    FvBdParams params = {.saturated = 0};
    FvBdPoint *points[2] = {NULL, NULL};
    int counts[2] = {0, 0}, method, higher, drop, little;
    FvBd *bd = NULL;
    FvError error = {0};
    if (!PyArg_ParseTuple(args, "OOipdipp", &curves[0], &curves[1], &method, &higher, &params.saturated,
                          &params.least_points, &drop, &little))
        return NULL;
    params.method = (FvBdMethod)method;
    params.better = higher ? FV_HIGHER_IS_BETTER : FV_LOWER_IS_BETTER;
    params.drop_dominated = drop;
    params.allow_little_overlap = little;
    if ((points[0] = read_points(curves[0], &counts[0])) && (points[1] = read_points(curves[1], &counts[1]))) {
        if (fv_bd_open(&bd, points[0], counts[0], points[1], counts[1], &params, &error))
            core_raise(PyModule_GetState(module), &error);
    }
    if (bd) {
        const FvBdResult *told = fv_bd_result(bd);
        const bool good = !told->refusal;
        PyObject *anchor = dropped_of(bd, FV_BD_ANCHOR), *test = anchor ? dropped_of(bd, FV_BD_TEST) : NULL;
        if (test)
            result = Py_BuildValue("(ddddzs(NN))", good ? told->bd_rate : NAN, good ? told->bd_quality : NAN,
                                   told->overlap, told->rate_overlap, good ? NULL : fv_bd_refusal_name(told->refusal),
                                   good ? "" : told->reason, anchor, test);
        else
            Py_XDECREF(anchor);
    }
    fv_bd_close(&bd);
    PyMem_Free(points[0]);
    PyMem_Free(points[1]);
    return result;
}

PyObject *alone_methods(void)
{
    PyObject *names = PyTuple_New(FV_BD_METHOD_COUNT);
    for (int i = 0; names && i < FV_BD_METHOD_COUNT; i++)
        PyTuple_SetItem(names, i, PyUnicode_FromString(fv_bd_method_name((FvBdMethod)i)));
    return names;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* A search in files, for black bars or for the alignment. */
typedef struct Search {
    Work work;
    FvRunParams run;
    FvCrop crop;
    FvAlignment *alignment;
} Search;

static FvStatus find_crop(Work *work, FvError *error)
{
    Search *search = (Search *)work;
    return fv_find_bars(&search->crop, &search->run.source[1], error);
}

static FvStatus find_pairs(Work *work, FvError *error)
{
    Search *search = (Search *)work;
    return fv_run_look(&search->run, &search->alignment, error);
}

/* Searches the files. false after an exception, from the library or a signal handler. */
static bool search_files(Search *search, PyObject *module, PyObject *reference, PyObject *distorted,
                         PyObject *settings)
{
    if (!videos_read(PyModule_GetState(module), &search->run, reference, distorted, settings, 0, 0))
        return false;
    for (int side = 0; side < 2; side++) {
        search->run.source[side].cancel = search->work.cancel;
        search->run.bars[side] = false;
    }
    return work_do(&search->work, PyModule_GetState(module));
}

PyObject *alone_find_bars(PyObject *module, PyObject *args)
{
    PyObject *video, *settings, *stop, *result = NULL;
    Search *search;
    if (!PyArg_ParseTuple(args, "OO!O", &video, &PyTuple_Type, &settings, &stop) ||
        !(search = work_new(PyModule_GetState(module), sizeof *search, find_crop, stop)))
        return NULL;
    const FvCrop *crop = &search->crop;
    if (search_files(search, module, Py_None, video, settings))
        result = Py_BuildValue("(iiii)", crop->width, crop->height, crop->x, crop->y);
    work_free(&search->work);
    return result;
}

PyObject *alone_align(PyObject *module, PyObject *args)
{
    PyObject *reference, *distorted, *settings, *stop, *result = NULL;
    Search *search;
    if (!PyArg_ParseTuple(args, "OOO!O", &reference, &distorted, &PyTuple_Type, &settings, &stop) ||
        !(search = work_new(PyModule_GetState(module), sizeof *search, find_pairs, stop)))
        return NULL;
    const bool good = search_files(search, module, reference, distorted, settings);
    const int64_t count = fv_alignment_frames(search->alignment);
    if (good)
        result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)count * (Py_ssize_t)sizeof count);
    for (int64_t i = 0; result && i < count; i++) {
        const int64_t pair = fv_alignment_pair(search->alignment, i);
        memcpy(PyBytes_AsString(result) + i * (int64_t)sizeof pair, &pair, sizeof pair);
    }
    fv_alignment_close(&search->alignment);
    work_free(&search->work);
    return result;
}

/* ---- A device -------------------------------------------------------------------------------------------------- */

/* Tests a device, and collects the results of the test in order. */
typedef struct Verifying {
    Work work;
    const char *name;
    struct {
        char metric[64], why[512];
    } told[64];
    int count;
} Verifying;

static void add_verdict(void *opaque, const char *metric, bool good, const char *why)
{
    Verifying *verifying = opaque;
    if (verifying->count == 64)
        return;
    snprintf(verifying->told[verifying->count].metric, 64, "%s", metric);
    snprintf(verifying->told[verifying->count++].why, 512, "%s", good ? "" : why);
}

/* Succeeds if the test returned results, even those of failures. Fails without results, and after a stop request. */
static FvStatus verify(Work *work, FvError *error)
{
    Verifying *verifying = (Verifying *)work;
    const FvStatus status = fv_device_verify(verifying->name, work->cancel, add_verdict, verifying, error);
    return verifying->count && status != FV_ERROR_PARTIAL ? FV_OK : status;
}

PyObject *alone_verify_device(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *stop, *result = NULL;
    Verifying *verifying;
    if (!PyArg_ParseTuple(args, "sO:verify_device", &name, &stop) ||
        !(verifying = work_new(PyModule_GetState(module), sizeof *verifying, verify, stop)))
        return NULL;
    verifying->name = name;
    if (work_do(&verifying->work, PyModule_GetState(module)))
        result = PyDict_New();
    for (int i = 0; result && i < verifying->count; i++) {
        PyObject *why = PyUnicode_FromString(verifying->told[i].why);
        if (!why || PyDict_SetItemString(result, verifying->told[i].metric, why))
            Py_CLEAR(result);
        Py_XDECREF(why);
    }
    work_free(&verifying->work);
    return result;
}

#include "rgb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "frame.h"
#include "samples.h"

static const char *const roundings[] = {"nearest", "half_up", "floor"};

/* The arguments of Frame.from_rgb(): how to make a frame from pixels. */
typedef struct Asked {
    Core *core;
    FvFormat format;              /* format of the RGB frame */
    int matrix;                   /* matrix for the Y'CbCr variant of the frame */
    const char *layout;           /* "HWC" or "CHW"; NULL: not given */
    PyObject *range, *background; /* arguments of the caller; None: not given */
    const char *rounding;         /* name of the rounding; NULL: not given */
} Asked;

/*
 * Reads how to quantise reals: the values of black and of the maximum, and how to round values between two codes.
 * false after an exception.
 */
static bool read_reals(const Asked *asked, FvPixels *how)
{
    double range[2];
    if (asked->range == Py_None || !asked->rounding) {
        PyErr_SetString(PyExc_TypeError,
                        "array has real numbers: state range=(0, 1), the values of black and of the most light, and "
                        "rounding='nearest' (or 'half_up', 'floor'), because scores depend on both");
        return false;
    }
    if (!PyTuple_Check(asked->range) || !PyArg_ParseTuple(asked->range, "dd", &range[0], &range[1]) ||
        !(range[0] < range[1]) || !isfinite(range[1] - range[0])) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "range is %R; it must be (lowest, highest), such as (0, 1)", asked->range);
        return false;
    }
    how->lowest = range[0];
    how->highest = range[1];
    for (int i = 0; i < 3; i++)
        if (!strcmp(asked->rounding, roundings[i])) {
            how->rounding = (FvRounding)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "rounding is '%s'; it must be 'nearest', 'half_up' or 'floor'", asked->rounding);
    return false;
}

/* ---- Pixels ---------------------------------------------------------------------------------------------------- */

/* Reads a background: '#rrggbb', or three integers up to 255. */
static bool read_background(int *background, PyObject *object)
{
    const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
    int red, green, blue;
    /* strtol() alone takes signs and spaces, too */
    if (text && *text == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        *background = (int)strtol(text + 1, NULL, 16);
        return true;
    }
    if (!text && PyTuple_Check(object) && PyArg_ParseTuple(object, "iii", &red, &green, &blue) &&
        !((red | green | blue) & ~255)) {
        *background = red << 16 | green << 8 | blue;
        return true;
    }
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "background is %R; it must be '#rrggbb' or (red, green, blue), each up to 255",
                 object);
    return false;
}

static bool check_pixels(Asked *asked, const Samples *pixels)
{
    FvFormat *format = &asked->format;
    if (pixels->components != 3 && pixels->components != 4)
        PyErr_Format(PyExc_ValueError, "array has %zd components%s%s: RGB has 3, and RGBA 4", pixels->components,
                     asked->layout ? " in layout " : "", asked->layout ? asked->layout : "");
    else if (pixels->components == 4 && asked->background == Py_None)
        PyErr_SetString(PyExc_ValueError, "array has 4 components: state the background that lies under its alpha, "
                                          "background='#000000', or leave alpha out, array[..., :3]");
    else if (!pixels->real && (asked->range != Py_None || asked->rounding))
        PyErr_Format(PyExc_ValueError, "%s is for real numbers, and array has whole ones: leave it out",
                     asked->rounding ? "rounding" : "range");
    else if (format->width && (format->width != pixels->width || format->height != pixels->height))
        PyErr_Format(PyExc_ValueError, "array has %zd x %zd pixels (height x width), and format %d x %d",
                     pixels->height, pixels->width, format->height, format->width);
    else if (pixels->height > FV_MAX_SIDE || pixels->width > FV_MAX_SIDE)
        PyErr_Format(PyExc_ValueError, "array is larger than %d pixels", FV_MAX_SIDE);
    else if (!pixels->real && (pixels->bytes == 1 ? format->depth > 8 : format->depth < 9))
        PyErr_Format(PyExc_ValueError, "array is %s; depth must be %s", pixels->bytes == 1 ? "uint8" : "uint16",
                     pixels->bytes == 1 ? "8" : "from 9 to 16");
    else {
        format->depth = format->depth ? format->depth : 8;
        format->width = (int)pixels->width;
        format->height = (int)pixels->height;
        return true;
    }
    return false;
}

static PyObject *take_picture(const Asked *given, PyObject *array)
{
    Asked asked = *given;
    Samples pixels;
    FvPixels how = {.background = 0};
    const bool good = samples_take_pixels(&pixels, array, asked.layout, NULL, "array") &&
                      check_pixels(&asked, &pixels) &&
                      (asked.background == Py_None || read_background(&how.background, asked.background)) &&
                      (!pixels.real || read_reals(&asked, &how));
    if (!good) {
        samples_release(&pixels);
        return NULL;
    }
    RgbTensor tensor = {.core = asked.core,
                        .format = asked.format,
                        .matrix = asked.matrix,
                        .layout = asked.layout,
                        .array = array,
                        .pixels = how};
    rgb_tensor_place(&tensor, &pixels);
    if (pixels.on_device) {
        samples_release(&pixels);
        return frame_wrap_tensor(asked.core, &tensor);
    }
    FvFrame *frame = rgb_tensor_read(&tensor, NULL, &pixels);
    return frame ? frame_wrap(asked.core, frame) : NULL;
}

/* ---- Batches --------------------------------------------------------------------------------------------------- */

/* Makes a list of frames from a batch of pictures. */
static PyObject *take_batch(const Asked *asked, PyObject *array)
{
    const Py_ssize_t count = PyObject_Size(array);
    if (count < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "array is %R; pixels of layout NHWC or NCHW are an array or a list of pictures",
                     array);
    }
    PyObject *list = count < 0 ? NULL : PyList_New(0);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *place = PyLong_FromSsize_t(i);
        PyObject *item = place ? PyObject_GetItem(array, place) : NULL;
        if (place && !item && !PyErr_ExceptionMatches(PyExc_MemoryError)) {
            PyErr_Clear(); /* memoryviews count their pictures, and give none */
            PyErr_SetString(PyExc_TypeError,
                            "array gives no single picture: pass a list of pictures, or one array of "
                            "four dimensions, such as a NumPy array");
        }
        PyObject *frame = item ? take_picture(asked, item) : NULL;
        if (!frame || PyList_Append(list, frame))
            Py_CLEAR(list);
        Py_XDECREF(frame);
        Py_XDECREF(item);
        Py_XDECREF(place);
    }
    return list;
}

/* ---- The method ------------------------------------------------------------------------------------------------ */

/* Reads the format of the caller, and the matrix of the Y'CbCr variant; NULL: that of the format, or BT.709. */
static bool read_tags(Asked *asked, PyObject *tags, const char *matrix)
{
    enum { BT709 = 1 }; /* a code point of ITU-T H.273 */
    bool has_chroma = false;
    if (tags != Py_None && !format_read(asked->core, &asked->format, &has_chroma, tags))
        return false;
    if (has_chroma && asked->format.chroma != FV_CHROMA_RGB) {
        PyErr_SetString(PyExc_ValueError, "format.chroma is not RGB, which from_rgb takes");
        return false;
    }
    const int stated = asked->format.matrix;
    asked->matrix = matrix ? fv_colour_code(FV_TAG_MATRIX, matrix) : stated ? stated : BT709;
    if (asked->matrix != 1 && asked->matrix != 5 && asked->matrix != 6 && asked->matrix != 9) {
        char number[16];
        snprintf(number, sizeof number, "%d", stated);
        PyErr_Format(PyExc_ValueError, "%smatrix is '%s'; it must be 'bt709', 'bt601' or 'bt2020'",
                     matrix ? "" : "format.", matrix ? matrix : number);
        return false;
    }
    /* Refused, since ignoring a tag of the caller would change the score. */
    if (stated && stated != asked->matrix) {
        PyErr_Format(PyExc_ValueError, "matrix is '%s', and format.matrix is %d", matrix, stated);
        return false;
    }
    if (asked->format.range == FV_RANGE_LIMITED) {
        PyErr_SetString(PyExc_ValueError, "format.range is limited, and from_rgb takes full range");
        return false;
    }
    format_rgb(&asked->format);
    return true;
}

PyObject *frame_from_rgb(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"array", "matrix", "depth", "format", "layout", "range", "rounding", "background", NULL};
    static const char *const layouts[] = {"HWC", "CHW", "NHWC", "NCHW"};
    Asked asked = {.core = core_of_type((PyTypeObject *)type), .range = Py_None, .background = Py_None};
    PyObject *array, *tags = Py_None, *matrix_given = NULL, *depth_given = NULL, *layout_given = Py_None,
                     *rounding_given = Py_None;
    const char *matrix = NULL, *layout;
    int depth = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO$OOOO:from_rgb", names, &array, &matrix_given, &depth_given,
                                     &tags, &layout_given, &asked.range, &rounding_given, &asked.background) ||
        (matrix_given && !core_argument_text(matrix_given, "matrix", false, &matrix)) ||
        (depth_given && !core_argument_int(depth_given, "depth", &depth)) ||
        !core_argument_text(layout_given, "layout", true, &layout) ||
        !core_argument_text(rounding_given, "rounding", true, &asked.rounding) || !read_tags(&asked, tags, matrix))
        return NULL;
    if (depth && asked.format.depth && depth != asked.format.depth)
        return PyErr_Format(PyExc_ValueError, "depth is %d, and format.depth is %d", depth, asked.format.depth);
    asked.format.depth = depth ? depth : asked.format.depth;
    if (asked.format.depth && (asked.format.depth < 8 || asked.format.depth > 16)) {
        FvError error = {.status = FV_ERROR_USAGE};
        snprintf(error.message, sizeof error.message, "depth is %d; it must be from 8 to 16", asked.format.depth);
        return core_raise(asked.core, &error);
    }
    const char *known = NULL;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        known = layout && !strcmp(layout, layouts[i]) ? layouts[i] : known;
    if (layout && !known)
        return PyErr_Format(PyExc_ValueError, "layout is '%s'; it must be HWC, CHW, NHWC or NCHW", layout);
    if (!layout && samples_dimensions(array) == 4)
        return PyErr_Format(PyExc_ValueError, "array has 4 dimensions: say layout='NCHW' or 'NHWC'");
    const bool batch = layout && *layout == 'N';
    asked.layout = known ? known + batch : NULL;
    return batch ? take_batch(&asked, array) : take_picture(&asked, array);
}

const char frame_from_rgb_help[] =
    "from_rgb($type, array, matrix='bt709', depth=0, format=None, *, layout=None, range=None, rounding=None,\n"
    "         background=None)\n--\n\n"
    "R'G'B' of full range, which scores as a PNG file of the same samples: metrics that take RGB get it, and the\n"
    "others the Y'CbCr 4:4:4 of limited range that `matrix` makes of it by the rule RGB of docs/scaling.md.\n"
    "array: by the buffer protocol or DLPack, with any strides; BGR is array[..., ::-1]. A tensor on a CUDA device\n"
    "is kept, and the Session on that device reads it when the frame is pushed. uint8; uint16 with `depth`\n"
    "bits, 9 to 16; or real numbers, of which `range` states the values of black and of the most light, (0, 1), and\n"
    "`rounding` how a value becomes one of `depth` bits (8): 'nearest' (ties to even), 'half_up' or 'floor'.\n"
    "layout: 'HWC', 'CHW', or 'NHWC' and 'NCHW' for a list of frames; None: 'HWC' or 'CHW', as the shape says.\n"
    "background: '#rrggbb' or (r, g, b), over which pixels with alpha lie; they are refused without it.\n"
    "matrix: 'bt709', 'bt601' or 'bt2020'; where it is left out, that of `format`. format: a Format with rate,\n"
    "transfer and primaries; sRGB without them. Members that contradict the array or an argument are refused.";

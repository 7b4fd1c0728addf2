#include "rgb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "fovea/rgb.h"
#include "frame.h"
#include "samples.h"

typedef enum Rounding { NEAREST, HALF_UP, FLOOR, ROUNDINGS } Rounding;

static const char *const roundings[] = {"nearest", "half_up", "floor"};

/* The arguments of Frame.from_rgb(): how to make a frame from pixels. */
typedef struct Asked {
    Core *core;
    FvFormat format; /* format of the RGB frame */
    int matrix;      /* matrix for the Y'CbCr variant of the frame */
    const char *layout;
    PyObject *range, *background; /* arguments of the caller; None: not given */
    const char *rounding;         /* name of the rounding; NULL: not given */
} Asked;

/* ---- Reals ----------------------------------------------------------------------------------------------------- */

/* Converts IEEE 754's binary16. */
static double half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

static double real_at(const void *at, int bytes)
{
    uint16_t two;
    float four;
    double eight;
    memcpy(bytes == 2 ? (void *)&two : bytes == 4 ? (void *)&four : (void *)&eight, at, (size_t)bytes);
    return bytes == 2 ? half(two) : bytes == 4 ? (double)four : eight;
}

static double round_as(double value, Rounding rounding)
{
    return rounding == NEAREST ? nearbyint(value) : floor(rounding == HALF_UP ? value + 0.5 : value);
}

/* The first value outside the range, for which the pixels are refused. */
typedef struct Outside {
    Py_ssize_t row, column;
    int component;
    double value;
} Outside;

/* Quantises the samples to packed words; false: *outside is set. */
static bool quantise(uint16_t *words, const Samples *pixels, const double range[2], int depth, Rounding rounding,
                     Outside *outside)
{
    const double peak = (1 << depth) - 1;
    for (Py_ssize_t y = 0; y < pixels->height; y++)
        for (Py_ssize_t x = 0; x < pixels->width; x++)
            for (int c = 0; c < pixels->components; c++) {
                const char *at =
                    (const char *)pixels->data + y * pixels->stride + x * pixels->step + c * pixels->across;
                const double value = real_at(at, pixels->bytes);
                if (!(value >= range[0] && value <= range[1])) {
                    *outside = (Outside){y, x, c, value};
                    return false;
                }
                *words++ = (uint16_t)round_as((value - range[0]) / (range[1] - range[0]) * peak, rounding);
            }
    return true;
}

/*
 * Reads how to quantise reals: the values of black and of the maximum, and how to round values between two codes.
 * false after an exception.
 */
static bool read_reals(const Asked *asked, double range[2], Rounding *rounding)
{
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
    for (*rounding = NEAREST; *rounding < ROUNDINGS; ++*rounding)
        if (!strcmp(asked->rounding, roundings[*rounding]))
            return true;
    PyErr_Format(PyExc_ValueError, "rounding is '%s'; it must be 'nearest', 'half_up' or 'floor'", asked->rounding);
    return false;
}

/* Replaces reals by integers of the depth, which *words holds. */
static bool take_reals(const Asked *asked, Samples *pixels, uint16_t **words)
{
    double range[2];
    Rounding rounding;
    Outside outside;
    if (!read_reals(asked, range, &rounding))
        return false;
    const size_t count = (size_t)pixels->components * (size_t)pixels->width * (size_t)pixels->height;
    *words = malloc(count * sizeof **words);
    if (!*words) {
        PyErr_NoMemory();
        return false;
    }
    bool good;
    Py_BEGIN_ALLOW_THREADS
    good = quantise(*words, pixels, range, asked->format.depth, rounding, &outside);
    if (good && asked->format.depth == 8)
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)*words)[i] = (uint8_t)(*words)[i];
    Py_END_ALLOW_THREADS
    if (!good) {
        char text[64];
        snprintf(text, sizeof text, "%.9g", outside.value);
        PyErr_Format(PyExc_ValueError, "array: the value %s of row %zd, column %zd, component %d is outside range %R",
                     text, outside.row, outside.column, outside.component, asked->range);
        return false;
    }
    pixels->bytes = asked->format.depth > 8 ? 2 : 1;
    pixels->data = *words;
    pixels->across = pixels->bytes;
    pixels->step = pixels->components * pixels->bytes;
    pixels->stride = pixels->width * pixels->step;
    return true;
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

static FvStatus fill_rgb_frame(const Asked *asked, const FvFormat *format, const Samples *pixels, int background,
                               FvFrame **frame, FvError *error)
{
    const char *first = pixels->data;
    const void *data[4];
    ptrdiff_t stride[4];
    for (int c = 0; c < 4; c++) {
        data[c] = first + c * pixels->across;
        stride[c] = pixels->stride;
    }
    FvStatus status = fv_frame_alloc(frame, format, error);
    if (!status)
        status = pixels->components == 4 ? fv_frame_fill_rgba(*frame, data, stride, pixels->step, background, error)
                                         : fv_frame_fill_rgb(*frame, data, stride, pixels->step, error);
    return status;
}

/* Makes the RGB frame, and its Y'CbCr variant for metrics that do not accept RGB. */
static FvStatus make_rgb_frame(const Asked *asked, const Samples *pixels, int background, FvFrame **frame,
                               FvError *error)
{
    FvFrame *ycbcr = NULL;
    FvFormat format = asked->format;
    FvStatus status = fill_rgb_frame(asked, &format, pixels, background, frame, error);
    format.chroma = FV_CHROMA_444;
    format.range = FV_RANGE_LIMITED;
    format.matrix = asked->matrix;
    if (!status)
        status = fill_rgb_frame(asked, &format, pixels, background, &ycbcr, error);
    if (!status)
        return fv_frame_set_ycbcr(frame, ycbcr, error);
    fv_frame_unref(&ycbcr);
    return status;
}

static PyObject *take_picture(const Asked *given, PyObject *array)
{
    Asked asked = *given;
    Samples pixels;
    uint16_t *words = NULL;
    int background = 0;
    FvFrame *frame = NULL;
    FvError error = {0};
    FvStatus status = FV_OK;
    const bool good = samples_take_pixels(&pixels, array, asked.layout, "array") && check_pixels(&asked, &pixels) &&
                      (asked.background == Py_None || read_background(&background, asked.background)) &&
                      (!pixels.real || take_reals(&asked, &pixels, &words));
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        status = make_rgb_frame(&asked, &pixels, background, &frame, &error);
        Py_END_ALLOW_THREADS
    }
    samples_release(&pixels);
    free(words);
    if (good && !status)
        return frame_wrap(asked.core, frame);
    fv_frame_unref(&frame);
    return good ? core_raise(asked.core, &error) : NULL;
}

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
    bool known = !layout;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        known |= layout && !strcmp(layout, layouts[i]);
    if (!known)
        return PyErr_Format(PyExc_ValueError, "layout is '%s'; it must be HWC, CHW, NHWC or NCHW", layout);
    if (!layout && samples_dimensions(array) == 4)
        return PyErr_Format(PyExc_ValueError, "array has 4 dimensions: say layout='NCHW' or 'NHWC'");
    const bool batch = layout && *layout == 'N';
    asked.layout = layout ? layout + batch : NULL;
    return batch ? take_batch(&asked, array) : take_picture(&asked, array);
}

const char frame_from_rgb_help[] =
    "from_rgb($type, array, matrix='bt709', depth=0, format=None, *, layout=None, range=None, rounding=None,\n"
    "         background=None)\n--\n\n"
    "R'G'B' of full range, which scores as a PNG file of the same samples: metrics that take RGB get it, and the\n"
    "others the Y'CbCr 4:4:4 of limited range that `matrix` makes of it by the rule RGB of docs/scaling.md.\n"
    "array: by the buffer protocol or DLPack, with any strides; BGR is array[..., ::-1]. uint8; uint16 with `depth`\n"
    "bits, 9 to 16; or real numbers, of which `range` states the values of black and of the most light, (0, 1), and\n"
    "`rounding` how a value becomes one of `depth` bits (8): 'nearest' (ties to even), 'half_up' or 'floor'.\n"
    "layout: 'HWC', 'CHW', or 'NHWC' and 'NCHW' for a list of frames; None: 'HWC' or 'CHW', as the shape says.\n"
    "background: '#rrggbb' or (r, g, b), over which pixels with alpha lie; they are refused without it.\n"
    "matrix: 'bt709', 'bt601' or 'bt2020'; where it is left out, that of `format`. format: a Format with rate,\n"
    "transfer and primaries; sRGB without them. Members that contradict the array or an argument are refused.";

#include "format.h"

#include <string.h>

static const char *const chromas[] = {"4:0:0", "4:2:0", "4:2:2", "4:4:4", "RGB", "4:1:1", "4:4:0", "4:1:0"};
static const char *const ranges[] = {NULL, "limited", "full"};
static const char *const sitings[] = {NULL, "left", "center", "topleft", "top", "bottomleft", "bottom"};

bool format_chroma(const char *text, FvChroma *chroma)
{
    for (int i = 0; i <= FV_CHROMA_410; i++) {
        const bool rgb = i == FV_CHROMA_RGB;
        const char compact[] = {chromas[i][0], chromas[i][rgb ? 1 : 2], chromas[i][rgb ? 2 : 4], '\0'};
        if (!strcmp(text, chromas[i]) || !strcmp(text, compact)) {
            *chroma = (FvChroma)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError,
                 "chroma is '%s'; it must be 4:0:0, 4:2:0, 4:2:2, 4:4:4, RGB, 4:1:1, 4:4:0 or 4:1:0", text);
    return false;
}

static bool read_colour(int *code, PyObject *object, const char *name, FvColourTag tag)
{
    const char *text;
    if (!core_attribute_text(object, name, &text))
        return false;
    *code = text && strcmp(text, "unknown") ? fv_colour_code(tag, text) : 0;
    if (*code < 0)
        PyErr_Format(PyExc_ValueError, "%s is '%s'; it must be a name such as bt709, or a code point of ITU-T H.273",
                     name, text);
    return *code >= 0;
}

bool format_read_tags(FvFormat *format, PyObject *object)
{
    const char *range, *siting;
    if (!core_attribute_text(object, "range", &range) || !core_attribute_text(object, "siting", &siting) ||
        !read_colour(&format->transfer, object, "transfer", FV_TAG_TRANSFER) ||
        !read_colour(&format->primaries, object, "primaries", FV_TAG_PRIMARIES) ||
        !read_colour(&format->matrix, object, "matrix", FV_TAG_MATRIX))
        return false;
    format->range = FV_RANGE_UNKNOWN;
    for (int i = FV_RANGE_LIMITED; range && i <= FV_RANGE_FULL; i++)
        if (!strcmp(range, ranges[i]))
            format->range = (FvRange)i;
    format->siting = fv_siting_parse(siting ? siting : "");
    if (range && !format->range && strcmp(range, "unknown"))
        PyErr_Format(PyExc_ValueError, "range is '%s'; it must be 'limited' or 'full'", range);
    else if (siting && !format->siting && strcmp(siting, "unknown"))
        PyErr_Format(PyExc_ValueError, "siting is '%s'; it must be left, center, topleft, top, bottomleft or bottom",
                     siting);
    else
        return true;
    return false;
}

PyObject *format_refused(const Core *core, const FvError *error)
{
    FvError named = *error;
    if (error->status == FV_ERROR_USAGE)
        snprintf(named.message, sizeof named.message, "format: %.1000s", error->message);
    return core_raise(core, &named);
}

/* Reads the rate, a fractions.Fraction or None. */
static bool read_rate(FvFormat *format, PyObject *object)
{
    PyObject *rate = PyObject_GetAttrString(object, "rate");
    if (!rate)
        return false;
    const bool good = rate == Py_None || (core_attribute_int(rate, "numerator", &format->rate_num) &&
                                          core_attribute_int(rate, "denominator", &format->rate_den));
    if (!good && PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "rate is %R; numerator and denominator are below 2**31", rate);
    }
    Py_DECREF(rate);
    return good;
}

bool format_read(const Core *core, FvFormat *format, bool *has_chroma, PyObject *object)
{
    const char *chroma;
    const int good = PyObject_IsInstance(object, core->format);
    *format = (FvFormat){0};
    if (!good) {
        PyObject *name = PyType_GetName(Py_TYPE(object));
        PyErr_Format(PyExc_TypeError, "format is a %S; it must be a fovea.Format", name ? name : Py_None);
        Py_XDECREF(name);
    }
    if (good <= 0 || !core_attribute_int(object, "width", &format->width) ||
        !core_attribute_int(object, "height", &format->height) || !core_attribute_text(object, "chroma", &chroma) ||
        !core_attribute_int(object, "depth", &format->depth) || !core_attribute_int(object, "peak", &format->peak) ||
        !read_rate(format, object) || !format_read_tags(format, object))
        return false;
    *has_chroma = chroma != NULL;
    return !chroma || format_chroma(chroma, &format->chroma);
}

PyObject *format_make(const Core *core, const FvFormat *format)
{
    char colour[3][32];
    const int codes[] = {[FV_TAG_PRIMARIES] = format->primaries,
                         [FV_TAG_TRANSFER] = format->transfer,
                         [FV_TAG_MATRIX] = format->matrix};
    const char *names[3];
    for (int tag = 0; tag < 3; tag++) {
        fv_colour_name((FvColourTag)tag, codes[tag], colour[tag], sizeof colour[tag]);
        if (fv_colour_code((FvColourTag)tag, colour[tag]) < 0 && codes[tag])
            snprintf(colour[tag], sizeof colour[tag], "%d", codes[tag]);
        names[tag] = codes[tag] ? colour[tag] : NULL;
    }
    const bool has_rate = format->rate_num > 0 && format->rate_den > 0;
    PyObject *rate = has_rate ? Py_BuildValue("(ii)", format->rate_num, format->rate_den) : NULL;
    if (has_rate && !rate)
        return NULL;
    return PyObject_CallFunction(core->format, "iisizNzzzzi", format->width, format->height, chromas[format->chroma],
                                 format->depth, ranges[format->range], rate ? rate : Py_NewRef(Py_None),
                                 names[FV_TAG_TRANSFER], names[FV_TAG_PRIMARIES], names[FV_TAG_MATRIX],
                                 sitings[format->siting], format->peak);
}

void format_rgb(FvFormat *format)
{
    enum { SRGB = 13, BT709 = 1 }; /* code points of ITU-T H.273 */
    format->chroma = FV_CHROMA_RGB;
    format->range = FV_RANGE_FULL;
    format->matrix = 0;
    format->transfer = format->transfer ? format->transfer : SRGB;
    format->primaries = format->primaries ? format->primaries : BT709;
}

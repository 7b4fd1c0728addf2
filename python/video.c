#include "video.h"

#include "format.h"

static bool read_crop(PyObject *video, FvCrop *crop, bool *bars)
{
    PyObject *object = PyObject_GetAttrString(video, "crop");
    if (!object)
        return false;
    *bars = PyUnicode_Check(object);
    const bool good = object == Py_None || *bars ||
                      PyArg_ParseTuple(object, "iiii;Video.crop is 'auto' or (width, height, x, y)", &crop->width,
                                       &crop->height, &crop->x, &crop->y);
    Py_DECREF(object);
    return good;
}

static bool read_raw(PyObject *video, FvSourceParams *params)
{
    const char *pixels;
    PyObject *rate = PyObject_GetAttrString(video, "rate");
    bool good = rate && (rate == Py_None || (core_attribute_int(rate, "numerator", &params->raw.rate_num) &&
                                             core_attribute_int(rate, "denominator", &params->raw.rate_den)));
    Py_XDECREF(rate);
    good = good && core_attribute_int(video, "width", &params->raw.width) &&
           core_attribute_int(video, "height", &params->raw.height) &&
           core_attribute_int(video, "bitdepth", &params->raw.depth) &&
           core_attribute_text(video, "pixel_format", &pixels);
    if (!good || !pixels)
        return good;
    FvFormat layout;
    if (!fv_raw_layout(pixels, &layout))
        return format_chroma(pixels, &params->raw.chroma);
    params->raw_layout = pixels;
    params->raw.chroma = layout.chroma;
    params->raw.depth = layout.depth;
    return true;
}

static bool read_video(PyObject *video, Videos *videos, int side)
{
    FvSourceParams *params = &videos->source[side];
    int fields, rotate, conceal, grain, skip;
    PyObject *path = PyObject_GetAttrString(video, "_path");
    params->path = path ? PyBytes_AsString(path) : NULL;
    Py_XDECREF(path); /* the video keeps it */
    if (!params->path || !core_attribute_text(video, "reader", &params->reader) ||
        !core_attribute_text(video, "decoder", &params->decoder) ||
        !core_attribute_int(video, "stream", &params->stream) || !core_attribute_int(video, "_rotate", &rotate) ||
        !core_attribute_int(video, "_fields", &fields) || !core_attribute_int(video, "conceal", &conceal) ||
        !core_attribute_int(video, "film_grain", &grain) || !core_attribute_int(video, "frame_skip", &skip) ||
        !read_raw(video, params) || !format_read_tags(&params->tags, video) ||
        !read_crop(video, &videos->params.crop[side], &videos->bars[side]))
        return false;
    params->fields = (FvFieldOrder)fields;
    params->rotate = (FvRotate)rotate;
    params->conceal = conceal;
    params->no_grain = !grain;
    *(side ? &videos->params.skip_distorted : &videos->params.skip_reference) = skip;
    return true;
}

bool preparation_read(FvScoreParams *params, int *convert, int *threads, PyObject *preparation)
{
    FvScale *scale = &params->scale;
    int align, refusals, to, fit, kernel, cubic;
    long long start, duration;
    if (!PyArg_ParseTuple(preparation, "iii(iiiiipdd)LLi", &align, &refusals, convert, &to, &fit, &scale->width,
                          &scale->height, &kernel, &cubic, &scale->b, &scale->c, &start, &duration, threads))
        return false;
    scale->to = (FvScaleTo)to;
    scale->fit = (FvScaleFit)fit;
    scale->kernel = (FvScaleKernel)kernel;
    scale->cubic = cubic;
    params->align = (FvAlignMode)align;
    params->shortest = refusals & 1;
    params->ignore_rate = refusals & 2;
    params->ignore_range = refusals & 4;
    params->ignore_colour = refusals & 8;
    params->ignore_fields = refusals & 16;
    params->strict = refusals & 32;
    params->fields = refusals & 64;
    params->convert = (unsigned)*convert & (CONVERT_RGB - 1);
    params->start = start;
    params->duration = duration;
    return true;
}

/* Pictures make the conversions that they need, and keep RGB for metrics that take it. */
static FvRgb choose_rgb(Videos *videos, int convert, int metrics, int taking)
{
    const bool pictures =
        fv_is_picture(videos->source[1].path) && (!videos->has_reference || fv_is_picture(videos->source[0].path));
    if (convert)
        return convert & CONVERT_RGB ? FV_RGB_CONVERT : FV_RGB_REFUSE;
    if (pictures)
        videos->params.convert = CONVERT_RGB - 1;
    return fv_rgb_for(metrics, taking, pictures);
}

bool videos_read(Videos *videos, PyObject *reference, PyObject *distorted, PyObject *preparation, int metrics,
                 int taking)
{
    int threads, convert;
    videos->has_reference = reference != Py_None;
    if ((videos->has_reference && !read_video(reference, videos, 0)) || !read_video(distorted, videos, 1) ||
        !preparation_read(&videos->params, &convert, &threads, preparation))
        return false;
    const FvRgb rgb = choose_rgb(videos, convert, metrics, taking);
    for (int side = 0; side < 2; side++) {
        videos->source[side].threads = threads < 256 ? threads : 256;
        videos->source[side].rgb = rgb;
    }
    return true;
}

FvStatus videos_prepare(Videos *videos, FvAlignment **alignment, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = !videos->has_reference; side < 2 && !status; side++)
        if (videos->bars[side])
            status = fv_find_bars(&videos->params.crop[side], &videos->source[side], error);
    if (status || videos->params.align < FV_ALIGN_BY_OFFSET)
        return status;
    if (videos->has_reference)
        status = fv_align(alignment, &videos->source[0], &videos->source[1], videos->params.align, error);
    else {
        *error = (FvError){FV_ERROR_USAGE, "align: pairing by content needs a reference"};
        status = error->status;
    }
    videos->params.alignment = *alignment;
    return status;
}

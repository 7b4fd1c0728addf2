/* CAMBI: the sizes that depend on options and format, and the checks of both. docs/metrics/cambi.md */
#include "base/error.h"
#include "feature/cambi_picture.h"
#include "os/memory.h"

#define MARGIN 32 /* samples before a plane and between its rows: one 64-byte cache line */

typedef struct Size {
    int width, height;
} Size;

static Size encoding_size(const FvCambiOptions *options, const FvFormat *format)
{
    Size size = {options->enc_width, options->enc_height};
    if (!size.width || !size.height || size.height > format->height || size.width > format->width)
        size = (Size){format->width, format->height};
    return size;
}

static Size source_size(const FvCambiOptions *options, const FvFormat *format)
{
    Size size = {options->src_width, options->src_height};
    if (!size.width || !size.height)
        size = (Size){format->width, format->height};
    return size;
}

static bool speedup(int option, Size size)
{
    int64_t area = (int64_t)size.width * size.height;
    return (option == 1080 && area >= 1920 * 1080) || (option == 1440 && area >= 2560 * 1440) ||
           (option == 2160 && area >= 3840 * 2160);
}

static int window_of(int option, Size size, bool half)
{
    int64_t side = (int64_t)option * (size.width + size.height) / 375 / 16;
    if (half)
        side = (side + 1) / 2;
    return (int)(side | 1);
}

static int mask_threshold(Size size)
{
    int64_t cells = (int64_t)(size.width / 64) * (size.height / 64);
    int log2 = 0; /* logarithm rounded up */
    while (log2 < 62 && (int64_t)1 << log2 < cells)
        log2++;
    return (49 + 3 * (log2 - 11) - 1) >> 1;
}

static FvStatus check_window(Size enc, Size src, int window, FvError *error)
{
    if (enc.width < 216 && enc.height < 216)
        return fv_fail(
            error, FV_FAIL_UNDEFINED_METRIC,
            "cambi: %dx%d is too small; one side must have at least 216 pixels: leave cambi out, or for vmaf "
            "choose a model without it, such as vmaf=version=vmaf_v0.6.1",
            enc.width, enc.height);
    if (src.width < 216 && src.height < 216)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "cambi: a source size of %dx%d is too small; one side must have at least 216 pixels",
                       src.width, src.height);
    if ((src.width > enc.width && src.height < enc.height) || (src.width < enc.width && src.height > enc.height))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "cambi: the source size %dx%d is wider but less tall (or the reverse) than the encoding size %dx%d; "
            "correct src_width, src_height, enc_width or enc_height",
            src.width, src.height, enc.width, enc.height);
    if (window > FV_CAMBI_WINDOW)
        return fv_fail(
            error, FV_FAIL_UNDEFINED_METRIC,
            "cambi: the window has a side of %d pixels at this size, and %d is the most; lower window_size", window,
            FV_CAMBI_WINDOW);
    return FV_OK;
}

/* Fills the sizes and offsets of the five scales. */
static void lay_out(FvCambiPicture *picture, Size size)
{
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        FvCambiScale *scale = &picture->scale[s];
        if (s || picture->half)
            size = (Size){(size.width + 1) / 2, (size.height + 1) / 2};
        scale->width = size.width;
        scale->height = size.height;
        scale->stride = FV_ROUND_UP(size.width, 64) + MARGIN;
        scale->edge_words = (size.width + 63) / 64;
        scale->c_stride = FV_ROUND_UP(size.width, 64);
        size_t height = (size_t)size.height, samples = height * (size_t)scale->stride + MARGIN;
        scale->image = fv_reserve(&picture->bytes, samples * sizeof(uint16_t)) + MARGIN * sizeof(uint16_t);
        scale->edges = fv_reserve(&picture->bytes, height * (size_t)scale->edge_words * sizeof(FvCambiEdges));
        scale->c = fv_reserve(&picture->bytes, height * (size_t)scale->c_stride * sizeof(float));
    }
}

/* Returns the value of an option that has two names, under the name that the user set. */
static double effective_topk(const FvCambiOptions *options)
{
    return options->topk != 0.6 ? options->topk : options->cambi_topk;
}

FvStatus fv_cambi_geometry(FvCambiPicture *picture, const FvCambiOptions *options, const FvFormat *format,
                           bool reference, FvError *error)
{
    Size enc = encoding_size(options, format), src = source_size(options, format);
    bool half = speedup(options->speedup, enc);
    int enc_window = window_of(options->window_size, enc, half),
        src_window = window_of(options->window_size, src, half);
    FvStatus status =
        check_window(enc, src, options->full_ref && src_window > enc_window ? src_window : enc_window, error);
    if (status)
        return status;
    Size size = reference ? src : enc;
    picture->source_width = format->width;
    picture->source_height = format->height;
    picture->depth = format->depth;
    picture->width = size.width;
    picture->height = size.height;
    picture->undither = (options->enc_bitdepth ? options->enc_bitdepth : format->depth) < 10;
    picture->half = half;
    picture->window = reference ? src_window : enc_window;
    picture->radius = picture->window / 2;
    picture->mask_threshold = mask_threshold(size);
    picture->topk = effective_topk(options);
    lay_out(picture, size);
    return FV_OK;
}

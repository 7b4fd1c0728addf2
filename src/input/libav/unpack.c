#include "input/libav/unpack.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/planes.h"
#include "os/memory.h"
#include "picture/colour.h"
#include "picture/floats.h"
#include "picture/rgb.h"

static bool keeps_rgb(const FvUnpack *unpack)
{
    return unpack->pixels.rgb && unpack->rgb >= FV_RGB_KEEP;
}

/* The formats named yuvj mean full range and lay samples out as those named yuv do. */
static bool means_full(int format)
{
    const char *name = av_get_pix_fmt_name(format);
    return name && !strncmp(name, "yuvj", 4);
}

/* Returns whether two pixel formats lay samples out alike. A change of the range alone may change the format. */
static bool same_layout(int a, int b)
{
    const char *one = av_get_pix_fmt_name(a), *other = av_get_pix_fmt_name(b);
    return a == b ||
           (one && other && means_full(a) != means_full(b) &&
            !strcmp(one + (means_full(a) ? 4 : 3), other + (means_full(b) ? 4 : 3)) && !strncmp(one, other, 3));
}

static FvRange range_of(const FvUnpack *unpack, const AVFrame *picture)
{
    if (unpack->pixels.rgb)
        return keeps_rgb(unpack) ? FV_RANGE_FULL : FV_RANGE_LIMITED; /* range of the samples after fv_unpack_copy() */
    if (unpack->limited)
        return FV_RANGE_LIMITED;
    /*
     * When a later picture states limited range, decoders keep a pixel format that means full range, so the picture's
     * own statement comes first.
     */
    if (picture->color_range == AVCOL_RANGE_MPEG)
        return FV_RANGE_LIMITED;
    return means_full(picture->format) || picture->color_range == AVCOL_RANGE_JPEG ? FV_RANGE_FULL : FV_RANGE_UNKNOWN;
}

/*
 * Returns whether the alpha of RGB or gray is blended over the background. The caller may request the alpha itself
 * instead.
 */
static bool flattens(const FvUnpack *unpack)
{
    return unpack->pixels.alpha && !unpack->wants_alpha && (unpack->pixels.rgb || !unpack->pixels.chroma);
}

/* Refuses RGB if the caller does not want it, or if its tags contradict the conversion. */
static FvStatus check_rgb(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvError *error)
{
    if (!unpack->pixels.rgb)
        return FV_OK;
    if (!unpack->rgb)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: its pixel format %s is RGB: `convert=rgb` makes Y'CbCr 4:4:4 of limited range of it, by "
                       "the matrix of "
                       "the video that it is compared with, or of BT.709",
                       source->info.path, av_get_pix_fmt_name(picture->format));
    if (picture->color_range == AVCOL_RANGE_MPEG || unpack->limited)
        return fv_fail(error, FV_FAIL_UNSUPPORTED,
                       "%s is limited-range RGB, which fovea cannot convert; convert it to full range first, for "
                       "example with ffmpeg",
                       source->info.path);
    return FV_OK;
}

static FvFormat colour_of(const AVFrame *picture)
{
    return fv_tags_colour((int)picture->color_primaries, (int)picture->color_trc, (int)picture->colorspace);
}

FvStatus fv_unpack_describe(FvUnpack *unpack, FvVideo *video, FvError *error)
{
    FvSource *source = video->source;
    FvSourceInfo *info = &source->info;
    FvFacts *facts = &video->facts;
    const FvContainer *container = &video->demux.container;
    AVStream *stream = container->demuxer->streams[video->demux.stream];
    const AVFrame *picture = video->decoder.picture;
    const enum AVCodecID codec = video->decoder.context->codec_id;
    const FvLibavPixels *pixels = &unpack->pixels;

    /* Colour that later pictures must state too, except for tags that the caller gave. */
    const FvFormat *given = &unpack->tags;
    unpack->stated = colour_of(picture);
    unpack->stated.primaries = given->primaries ? FV_H273_UNKNOWN : unpack->stated.primaries;
    unpack->stated.transfer = given->transfer ? FV_H273_UNKNOWN : unpack->stated.transfer;
    unpack->stated.matrix = given->matrix ? FV_H273_UNKNOWN : unpack->stated.matrix;
    unpack->limited = facts->png.limited;

    unpack->pixel_format = picture->format;
    const char *refused = fv_pixels_describe(&unpack->pixels, picture->format);
    if (refused) {
        const char *name = av_get_pix_fmt_name(picture->format);
        return fv_fail(
            error, FV_FAIL_UNSUPPORTED,
            "%s: its pixel format %s %s, and fovea converts nothing by itself; convert the video to gray or "
            "YUV of 8 to 16 bits, for instance with ffmpeg and -pix_fmt yuv444p10le",
            info->path, name ? name : "(none)", refused);
    }
    FvStatus status =
        facts->inks ? fv_facts_refuse_inks(facts, source, error) : check_rgb(unpack, source, picture, error);
    if (status)
        return status;

    const bool kept = keeps_rgb(unpack);
    info->format = (FvFormat){.width = picture->width,
                              .height = picture->height,
                              .chroma = kept ? FV_CHROMA_RGB : pixels->chroma,
                              .depth = pixels->depth,
                              .range = range_of(unpack, picture)};
    unpack->range = info->format.range;
    info->alpha = pixels->alpha || facts->heif.alpha;
    fv_tags_of_stream(info, container, stream, picture, &facts->png, facts->mastering);
    if (pixels->floats && !info->format.transfer) /* OpenEXR defines linear samples */
        info->format.transfer = FV_H273_LINEAR;
    if (!info->display_rotation && !info->mirrored) {
        info->display_rotation = facts->turn.rotation;
        info->mirrored = facts->turn.mirrored;
    }
    info->rgb = pixels->rgb;
    info->floats = pixels->floats;
    info->flattened = flattens(unpack);
    info->background = unpack->background;
    info->no_grain = video->decoder.no_grain && fv_decoder_adds_grain(codec);
    if (info->rgb) { /* range and matrix of RGB are known, so the file's statements about them do not matter */
        info->container_colour =
            (FvColour){.transfer = info->container_colour.transfer, .primaries = info->container_colour.primaries};
        info->format.matrix = kept ? FV_H273_UNKNOWN : source->rgb_matrix;
    }
    if (kept && unpack->rgb == FV_RGB_BOTH)
        info->rgb_matrix = source->rgb_matrix;
    status = fv_tags_of_picture(info, container, stream, picture, &facts->png, given, error);
    if (status)
        return status;
    fv_facts_take_container(facts, source, container->demuxer, stream);
    info->codec = avcodec_get_name(codec);

    FvError detail = {0};
    if (fv_format_check(&info->format, &detail))
        return fv_fail(error, FV_ERROR_INPUT, "%s: %s", info->path, detail.message);
    if (!unpack->wants_alpha || !pixels->alpha)
        return FV_OK;
    FvFormat alpha = info->format;
    alpha.chroma = FV_CHROMA_400;
    return fv_frame_pool_open(&unpack->alpha, &alpha, error);
}

static FvStatus check_colour(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvError *error)
{
    const FvFormat *format = &source->info.format;
    FvFormat now = colour_of(picture), first = unpack->stated;
    FvColourTag tag;
    char names[2][32];
    /* If the first picture states nothing, its container may. */
    now.transfer = unpack->tags.transfer ? FV_H273_UNKNOWN : now.transfer;
    now.matrix = unpack->tags.matrix || source->info.rgb ? FV_H273_UNKNOWN : now.matrix;
    first.transfer = first.transfer ? first.transfer : format->transfer;
    first.matrix = first.matrix ? first.matrix : format->matrix;
    if (now.matrix && !first.matrix)
        tag = FV_TAG_MATRIX;
    else if (now.transfer && !first.transfer)
        tag = FV_TAG_TRANSFER;
    else if (!fv_tags_change(&first, &now, &tag))
        return FV_OK;
    const char *what = fv_colour_tag_name(tag);
    fv_colour_name(tag, fv_format_tag(&first, tag), names[0], sizeof names[0]);
    fv_colour_name(tag, fv_format_tag(&now, tag), names[1], sizeof names[1]);
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: frame %" PRId64 " states the %s %s and the first one %s; split the file where its colour "
                   "changes, or say what counts for all frames with `reference.%s` or `distorted.%s`",
                   source->info.path, source->next, what, names[1], names[0], what, what);
}

bool fv_unpack_is_frame(const FvUnpack *unpack, const FvVideo *video)
{
    const FvSourceInfo *info = &video->source->info;
    const AVFrame *picture = video->decoder.picture;
    if (!info->image || video->source->images || fv_demux_codec(&video->demux)->codec_id != AV_CODEC_ID_MJPEG)
        return true;
    return !video->facts.one_picture && picture->format == unpack->pixel_format &&
           picture->width == info->format.width && picture->height == info->format.height;
}

FvStatus fv_unpack_check(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvError *error)
{
    const FvFormat *format = &source->info.format;
    char text[128];
    const FvRange range = range_of(unpack, picture);
    const bool full = range == FV_RANGE_FULL, was_full = unpack->range == FV_RANGE_FULL;
    const bool same = same_layout(picture->format, unpack->pixel_format) && picture->width == format->width &&
                      picture->height == format->height;
    if (same && (full == was_full || unpack->tags.range))
        return check_colour(unpack, source, picture, error);
    if (same)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64
                       " is of %s range while the first one is of %s range; split the file where "
                       "its range changes, or say what counts for all frames with `reference.range` or "
                       "`distorted.range`",
                       source->info.path, source->next, fv_range_name(range), fv_range_name(unpack->range));
    const char *name = av_get_pix_fmt_name(picture->format);
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: frame %" PRId64 " is %dx%d %s%s%s while the first one is %s; split the file where its format changes",
        source->info.path, source->next, picture->width, picture->height, name ? name : "(none)", range ? " " : "",
        range ? fv_range_name(range) : "", fv_format_describe(format, text, sizeof text));
}

/* Fails because this sample is not a number from 0 to 1, or its word has bits that its format lacks. */
static FvStatus fail_sample(const FvLibavPixels *pixels, const FvSource *source, int component, int x, int y,
                            uint32_t word, FvError *error)
{
    static const char *const names[2][4] = {{"Y", "Cb", "Cr", "alpha"}, {"red", "green", "blue", "alpha"}};
    const char *name = source->info.path;
    if (!pixels->floats)
        return fv_fail_sample(source, component, x, y, word, error);
    return fv_fail(
        error, FV_FAIL_UNSUPPORTED,
        "%s: frame %" PRId64 ", %s, column %d, row %d: the sample is %.9g, and `convert=depth` takes numbers "
        "from 0 to 1 only; clip the others first, for example with ffmpeg -i %s -pix_fmt %s OUT.png",
        name, source->next, names[pixels->rgb][component], x, y, fv_float_value(pixels->floats, word), name,
        !pixels->rgb    ? "gray16"
        : pixels->alpha ? "rgba64"
                        : "rgb48");
}

/* Unpacks a row of a component and checks every sample, because decoders of uncompressed video do not check it. */
static FvStatus unpack_row(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, int component,
                           int y, void *row, int width, FvError *error)
{
    const int from = unpack->pixels.component[component].plane;
    const uint8_t *stored = picture->data[from] + y * (ptrdiff_t)picture->linesize[from];
    if (unpack->pixels.palette) {
        fv_samples_look_up(row, stored, picture->data[1], component, width);
        return FV_OK;
    }
    const int x = fv_pixels_unpack(&unpack->pixels, component, row, stored, width);
    return x == width ? FV_OK
                      : fail_sample(&unpack->pixels, source, component, x, y,
                                    fv_pixels_word(&unpack->pixels, component, stored, x), error);
}

static FvStatus copy_plane(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvFrame *frame,
                           int plane, int component, FvError *error)
{
    FvStatus status = FV_OK;
    int width, height;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int y = 0; y < height && !status; y++)
        status = unpack_row(unpack, source, picture, component, y, frame->data[plane] + y * frame->stride[plane],
                            width, error);
    return status;
}

/* Returns the sample of the background in a component, or in luma of gray. */
static int background_of(const FvUnpack *unpack, int plane)
{
    const int colour = unpack->background, red = colour >> 16, green = colour >> 8 & 255, blue = colour & 255;
    const int code = !unpack->pixels.rgb ? (2126 * red + 7152 * green + 722 * blue + 5000) / 10000
                     : plane == 0        ? red
                     : plane == 1        ? green
                                         : blue;
    const int peak = (1 << unpack->pixels.depth) - 1;
    return (2 * code * peak + 255) / 510;
}

static FvStatus flatten(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvFrame *frame,
                        FvError *error)
{
    const int width = frame->format.width;
    const size_t room = (size_t)width * 2 + FV_ROW_PADDING;
    uint16_t *row = fv_alloc(room);
    if (!row)
        return fv_fail_memory(error, room);
    FvStatus status = FV_OK;
    for (int y = 0; y < frame->format.height && !status; y++) {
        status = unpack_row(unpack, source, picture, FV_PIXELS_ALPHA, y, row, width, error);
        for (int plane = 0; plane < fv_format_planes(&frame->format) && !status; plane++)
            fv_rgb_flatten(frame->data[plane] + y * frame->stride[plane], row, width, unpack->pixels.depth,
                           background_of(unpack, plane), unpack->pixels.floats);
    }
    fv_free(row);
    return status;
}

FvStatus fv_unpack_copy(const FvUnpack *unpack, FvSource *source, const AVFrame *picture, FvFrame *frame,
                        FvError *error)
{
    FvStatus status = FV_OK;
    for (int plane = 0; plane < fv_format_planes(&frame->format) && !status; plane++)
        status = copy_plane(unpack, source, picture, frame, plane, plane, error);
    if (!status && flattens(unpack))
        status = flatten(unpack, source, picture, frame, error);
    if (!status && unpack->pixels.rgb && unpack->rgb == FV_RGB_CONVERT)
        fv_rgb_convert(frame, source->rgb_matrix);
    if (picture->best_effort_timestamp != AV_NOPTS_VALUE)
        fv_frame_set_time(frame, picture->best_effort_timestamp);

    if (!source->interlaced && source->next && source->info.fields <= FV_FIELDS_PROGRESSIVE &&
        !source->fields_named && fv_tags_interlaced(picture))
        source->interlaced = source->next;
    if (!status)
        fv_frame_unref(&source->alpha);
    if (!status && unpack->alpha)
        status = fv_frame_pool_get(unpack->alpha, &source->alpha, error);
    return !status && source->alpha ? copy_plane(unpack, source, picture, source->alpha, 0, FV_PIXELS_ALPHA, error)
                                    : status;
}

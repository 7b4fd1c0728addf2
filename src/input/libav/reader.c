/* Everything that libavformat opens and libavcodec decodes to planar YUV or gray. docs/input.md */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/libav/choice.h"
#include "input/libav/video.h"
#include "os/cancel.h"
#include "os/memory.h"
#include "input/libav/packets.h"
#include "input/planes.h"
#include "picture/rgb.h"
#include "input/libav/tags.h"
#include "picture/colour.h"

static bool keeps_rgb(const FvLibav *libav)
{
    return libav->pixels.rgb && libav->rgb >= FV_RGB_KEEP;
}

static FvRange range_of(const FvLibav *libav, const AVFrame *picture)
{
    if (libav->pixels.rgb)
        return keeps_rgb(libav) ? FV_RANGE_FULL : FV_RANGE_LIMITED; /* it becomes that */
    if (libav->png.limited)
        return FV_RANGE_LIMITED;
    if (libav->pixels.full || picture->color_range == AVCOL_RANGE_JPEG)
        return FV_RANGE_FULL;
    return picture->color_range == AVCOL_RANGE_MPEG ? FV_RANGE_LIMITED : FV_RANGE_UNKNOWN;
}

/* Whether alpha counts: of RGB and gray, whose samples can be mixed. The caller may want the alpha for itself. */
static bool flattens(const FvLibav *libav)
{
    return libav->pixels.alpha && !libav->wants_alpha && (libav->pixels.rgb || !libav->pixels.chroma);
}

/* RGB is refused, unless it is wanted and says nothing that the conversion would belie. */
static FvStatus check_rgb(const FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    if (!libav->pixels.rgb)
        return FV_OK;
    if (!libav->rgb)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: its pixel format %s is RGB: `convert=rgb` makes Y'CbCr 4:4:4 of limited range of it, by the "
            "matrix of BT.709 or the one that `reference.matrix` or `distorted.matrix` names",
            source->info.path, av_get_pix_fmt_name(libav->picture->format));
    if (libav->picture->color_range == AVCOL_RANGE_MPEG || libav->png.limited)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: is RGB of limited range, for which there is no rule: convert it first",
                       source->info.path);
    return FV_OK;
}

static FvFormat colour_of(const AVFrame *picture)
{
    return fv_tags_colour((int)picture->color_primaries, (int)picture->color_trc, (int)picture->colorspace);
}

static void keep_stated(FvLibav *libav)
{
    const FvFormat *given = &libav->tags;
    FvFormat *stated = &libav->stated;
    *stated = colour_of(libav->picture);
    stated->primaries = given->primaries ? FV_H273_UNKNOWN : stated->primaries;
    stated->transfer = given->transfer ? FV_H273_UNKNOWN : stated->transfer;
    stated->matrix = given->matrix ? FV_H273_UNKNOWN : stated->matrix;
}

static FvStatus describe(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    const AVFrame *picture = libav->picture;
    libav->pixel_format = picture->format;
    keep_stated(libav);
    const char *refused = fv_pixels_describe(&libav->pixels, picture->format);
    if (refused) {
        const char *name = av_get_pix_fmt_name(picture->format);
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: its pixel format %s %s, and fovea converts nothing by itself; convert the video to gray or "
            "YUV of 8 to 16 bits, for instance with ffmpeg and -pix_fmt yuv444p10le",
            source->info.path, name ? name : "(none)", refused);
    }
    FvStatus status = libav->inks ? fv_libav_fail_inks(source, error) : check_rgb(source, error);
    if (status)
        return status;
    const bool kept = keeps_rgb(libav);
    source->info.format = (FvFormat){.width = picture->width,
                                     .height = picture->height,
                                     .chroma = kept ? FV_CHROMA_RGB : libav->pixels.chroma,
                                     .depth = libav->pixels.depth,
                                     .range = range_of(libav, picture)};
    source->info.alpha = libav->pixels.alpha || libav->heif.alpha;
    fv_tags_of_stream(&source->info, &libav->container, stream, picture, &libav->png, libav->mastering);
    if (!source->info.rotation && !source->info.mirrored) {
        source->info.rotation = libav->turn.rotation;
        source->info.mirrored = libav->turn.mirrored;
    }
    source->info.rgb = libav->pixels.rgb;
    if (source->info.rgb) /* whose range and matrix are known */
        source->info.overruled =
            (FvColour){.transfer = source->info.overruled.transfer, .primaries = source->info.overruled.primaries};
    source->info.flattened = flattens(libav);
    source->info.background = libav->background;
    source->info.no_grain = libav->no_grain && fv_libav_adds_grain(libav->decoder->codec_id);
    if (source->info.rgb)
        source->info.format.matrix = kept ? FV_H273_UNKNOWN : libav->rgb_matrix;
    if (kept && libav->rgb == FV_RGB_BOTH)
        source->info.rgb_matrix = libav->rgb_matrix;
    status = fv_tags_of_picture(&source->info, &libav->container, stream, picture, &libav->png, &libav->tags, error);
    if (status)
        return status;
    fv_libav_take_container(source);
    source->info.codec = avcodec_get_name(libav->decoder->codec_id);
    FvError detail = {0};
    if (fv_format_check(&source->info.format, &detail))
        return fv_fail(error, FV_ERROR_INPUT, "%s: %s", source->info.path, detail.message);
    if (!libav->wants_alpha || !libav->pixels.alpha)
        return FV_OK;
    FvFormat alpha = source->info.format;
    alpha.chroma = FV_CHROMA_400;
    return fv_frame_pool_open(&libav->alpha, &alpha, error);
}

/* libavformat gives the first tile of a picture, and all of one that is cropped. */
static FvStatus check_heif(FvSource *source, FvError *error)
{
    FvHeif *heif = &((FvLibav *)source->state)->heif;
    fv_heif_read(heif, &source->stream);
    ((FvLibav *)source->state)->turn = heif->orientation;
    return !heif->tiled && !heif->cropped
               ? FV_OK
               : fv_fail(error, FV_ERROR_INPUT,
                         "%s: the picture is %s, which libav does not carry out: convert it to PNG first, for "
                         "example with avifdec",
                         source->info.path, heif->tiled ? "made of tiles" : "a part of the stored one");
}

/* Decodes the first picture, or reads the first packet of ProRes: only a picture tells the format for certain. */
static FvStatus find_first(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvLibav *libav = source->state;
    const bool peeks = fv_libav_may_use_hwdec(source, params);
    FvStatus status = fv_libav_start(source, peeks ? 1 : params->threads, error);
    if (status)
        return status;
    if (!libav->decoder)
        status = fv_libav_open_prores(source, params, error);
    else if (peeks && fv_libav_peek(libav))
        return FV_OK;
    else if (peeks) {
        status = fv_libav_restart(source, error);
        libav->passing = FV_PASSING_UNKNOWN;
    }
    if (!status && libav->decoder)
        status = fv_libav_decode_next(source, error);
    libav->waiting = !status;
    return status;
}

static FvStatus open_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvLibav *libav = source->state = fv_alloc_zero(sizeof *libav);
    if (!libav)
        return fv_fail_memory(error, sizeof *libav);
    fv_mutex_open(&libav->made.lock);
    const char *format = params->reader ? strchr(params->reader, ':') : NULL;
    libav->format = format ? strdup(format + 1) : NULL;
    if (format && !libav->format)
        return fv_fail_memory(error, strlen(format));
    libav->choice = params->stream;
    libav->threads = params->threads;
    libav->wants_alpha = params->alpha;
    libav->no_grain = params->no_grain;
    libav->rgb = params->rgb;
    libav->rgb_matrix = params->tags.matrix ? params->tags.matrix : FV_H273_BT709;
    libav->tags = params->tags;
    libav->background = params->background;
    libav->prores_by_libavcodec = params->decoder && !strcmp(params->decoder, "prores=libavcodec");
    libav->opened = true;
    fv_libav_log_open(&libav->log);
    fv_libav_log_enter(&libav->log);
    FvStatus status = check_heif(source, error);
    if (!status)
        status = find_first(source, params, error);
    fv_libav_log_leave();
    if (status == FV_END)
        return fv_fail(error, FV_ERROR_INPUT, "%s: holds no frame", source->info.path);
    libav->going = !status;
    return status || libav->prores ? status : describe(source, error);
}

static FvStatus check_colour(const FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    const FvFormat now = colour_of(libav->picture);
    FvColourTag tag;
    char names[2][32];
    if (!fv_tags_change(&libav->stated, &now, &tag))
        return FV_OK;
    const char *what = fv_colour_tag_name(tag);
    fv_colour_name(tag, fv_tags_code(&libav->stated, tag), names[0], sizeof names[0]);
    fv_colour_name(tag, fv_tags_code(&now, tag), names[1], sizeof names[1]);
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: frame %" PRId64 " states the %s %s and the first one %s; split the file where its colour "
                   "changes, or say what counts for all frames with `reference.%s` or `distorted.%s`",
                   source->info.path, source->next, what, names[1], names[0], what, what);
}

static FvStatus check_same(const FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    const AVFrame *picture = libav->picture;
    const FvFormat *format = &source->info.format;
    char text[128];
    FvRange range = range_of(libav, picture);
    if (picture->format == libav->pixel_format && picture->width == format->width &&
        picture->height == format->height && (!range || !source->stated_range || range == source->stated_range))
        return check_colour(source, error);
    const char *name = av_get_pix_fmt_name(picture->format);
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: frame %" PRId64 " is %dx%d %s%s%s while the first one is %s; split the file where its format changes",
        source->info.path, source->next, picture->width, picture->height, name ? name : "(none)", range ? " " : "",
        range ? fv_range_name(range) : "", fv_format_describe(format, text, sizeof text));
}

/* A word in this row, whose first byte is at `from`, has bits that its format lacks. `row` is overwritten. */
static FvStatus fail_bits(const FvSource *source, int plane, int y, uint16_t *row, const uint8_t *from, int width,
                          FvError *error)
{
    const FvPixels *pixels = &((FvLibav *)source->state)->pixels;
    FvWords words = pixels->component[plane].words;
    fv_samples_unpack16(row, from + pixels->component[plane].offset, (FvWords){words.step, words.swap, 0, UINT16_MAX},
                        width);
    int x = 0;
    while (!(row[x] & pixels->component[plane].empty))
        x++;
    return fv_fail_sample(source, plane, x, y, row[x], error);
}

static bool unpack(const FvLibav *libav, int component, void *row, const uint8_t *stored, int width)
{
    if (!libav->pixels.palette)
        return fv_pixels_unpack(&libav->pixels, component, row, stored, width);
    fv_samples_look_up(row, stored, libav->picture->data[1], component, width);
    return true;
}

/* Also looks at every sample: decoders of uncompressed video pass on what the file has. */
static FvStatus copy_plane(const FvSource *source, FvFrame *frame, int plane, int component, FvError *error)
{
    const FvLibav *libav = source->state;
    const AVFrame *picture = libav->picture;
    int width, height, from = libav->pixels.component[component].plane;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int y = 0; y < height; y++) {
        const uint8_t *stored = picture->data[from] + y * (ptrdiff_t)picture->linesize[from];
        void *row = frame->data[plane] + y * frame->stride[plane];
        if (!unpack(libav, component, row, stored, width))
            return fail_bits(source, component, y, row, stored, width, error);
    }
    return FV_OK;
}

/* The background, in a component or in luma of gray, as a sample. */
static int background_of(const FvLibav *libav, int plane)
{
    const int colour = libav->background, red = colour >> 16, green = colour >> 8 & 255, blue = colour & 255;
    const int code = !libav->pixels.rgb ? (2126 * red + 7152 * green + 722 * blue + 5000) / 10000
                     : plane == 0       ? red
                     : plane == 1       ? green
                                        : blue;
    const int peak = (1 << libav->pixels.depth) - 1;
    return (2 * code * peak + 255) / 510;
}

static FvStatus flatten(const FvSource *source, FvFrame *frame, FvError *error)
{
    const FvLibav *libav = source->state;
    const int width = frame->format.width, from = libav->pixels.component[FV_PIXELS_ALPHA].plane;
    const size_t room = (size_t)width * 2 + FV_ROW_PADDING;
    uint16_t *row = fv_alloc(room);
    if (!row)
        return fv_fail_memory(error, room);
    FvStatus status = FV_OK;
    for (int y = 0; y < frame->format.height && !status; y++) {
        const uint8_t *stored = libav->picture->data[from] + y * (ptrdiff_t)libav->picture->linesize[from];
        if (!unpack(libav, FV_PIXELS_ALPHA, row, stored, width))
            status = fail_bits(source, FV_PIXELS_ALPHA, y, row, stored, width, error);
        for (int plane = 0; plane < fv_format_planes(&frame->format) && !status; plane++)
            fv_rgb_flatten(frame->data[plane] + y * frame->stride[plane], row, width, libav->pixels.depth,
                           background_of(libav, plane));
    }
    fv_free(row);
    return status;
}

static FvStatus copy(const FvSource *source, FvFrame *frame, FvError *error)
{
    const FvLibav *libav = source->state;
    const AVFrame *picture = libav->picture;
    FvStatus status = FV_OK;
    for (int plane = 0; plane < fv_format_planes(&frame->format) && !status; plane++)
        status = copy_plane(source, frame, plane, plane, error);
    if (!status && flattens(libav))
        status = flatten(source, frame, error);
    if (!status && libav->pixels.rgb && libav->rgb == FV_RGB_CONVERT)
        fv_rgb_convert(frame, libav->rgb_matrix);
    if (picture->best_effort_timestamp != AV_NOPTS_VALUE)
        fv_frame_set_time(frame, picture->best_effort_timestamp);
    return status;
}

static FvStatus copy_alpha(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    fv_frame_unref(&source->alpha);
    FvStatus status = libav->alpha ? fv_frame_pool_get(libav->alpha, &source->alpha, error) : FV_OK;
    return !status && source->alpha ? copy_plane(source, source->alpha, 0, FV_PIXELS_ALPHA, error) : status;
}

/* The CPU decodes from the beginning up to the frame that comes next. */
static FvStatus return_to_cpu(FvSource *source, FvError *error)
{
    const int64_t number = source->next;
    FvStatus status = fv_libav_restart(source, error);
    return status ? status : fv_libav_advance(source, number, error);
}

/* After hardware decoders have failed with a reason in `error`: the CPU decides whether the video is refused. */
static FvStatus retreat(FvSource *source, FvError *error)
{
    if (fv_cancel_requested(source->cancel))
        return error->status = FV_ERROR_PARTIAL;
    if (source->next)
        snprintf(source->decoder, sizeof source->decoder,
                 "CPU from frame %" PRId64 " on: the GPU fails there (%.150s)", source->next, error->message);
    else
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", error->message);
    return return_to_cpu(source, error);
}

static FvStatus read_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = FV_OK;
    bool done = false;
    if (libav->prores)
        return fv_libav_read_prores(source, frame, error);
    fv_libav_choose_passing(source);
    fv_libav_log_enter(&libav->log);
    if (libav->left || fv_libav_lacks_frames(source))
        status = return_to_cpu(source, error);
    else if (libav->hwdec) {
        bool fails;
        status = fv_libav_read_hwdec(source, frame, &fails, error);
        done = !fails;
        if (fails)
            status = retreat(source, error);
    } else
        status = fv_libav_settle(source, error);
    if (!status && !done)
        status = fv_libav_decode_needed(source, error);
    libav->waiting = false;
    libav->going = !status;
    fv_libav_log_leave();
    if (done)
        return status;
    if (!status)
        status = fv_libav_check_time(source, error);
    if (!status)
        status = check_same(source, error);
    if (!status)
        status = fv_frame_pool_get(source->pool, frame, error);
    if (!status)
        status = copy(source, *frame, error);
    if (!status)
        status = copy_alpha(source, error);
    if (status)
        fv_frame_unref(frame);
    av_frame_unref(libav->picture);
    return status;
}

static FvStatus pass_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    if (libav->prores)
        return fv_libav_pass_prores(source, frame, error);
    fv_libav_choose_passing(source);
    const bool passes = libav->passing == FV_PASSING_PACKETS || libav->passing == FV_PASSING_SKIPS;
    return passes && !fv_libav_lacks_frames(source) ? fv_libav_pass(source, frame, error)
                                                    : read_frame(source, frame, error);
}

static FvStatus make_index(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    return fv_packets_index(&source->index, source, libav->format, libav->container.demuxer, libav->stream, error);
}

static FvStatus list_packets(FvSource *source, FvIndex *index, FvError *error)
{
    const FvLibav *libav = source->state;
    return libav->unlisted ? fv_fail_memory(error, (size_t)libav->seen.shown.count * sizeof(int64_t))
                           : fv_packets_read(index, &libav->seen, error);
}

static void close_reader(FvSource *source)
{
    FvLibav *libav = source->state;
    if (!libav)
        return;
    if (libav->opened) {
        fv_libav_log_enter(&libav->log);
        fv_libav_stop(libav);
        fv_libav_log_leave();
        fv_libav_log_close(&libav->log);
    }
    fv_skips_end(&libav->skips);
    fv_prores_input_close(&libav->prores);
    fv_frame_pool_close(&libav->alpha);
    free(libav->format);
    fv_mutex_close(&libav->made.lock);
    fv_free(libav);
}

static unsigned version(void)
{
    return avformat_version();
}

/* The only name of these files that the others of the build see: fv_libav_59 and so on. */
extern const FvLibavRelease AV_JOIN(fv_libav_, LIBAVFORMAT_VERSION_MAJOR);
const FvLibavRelease AV_JOIN(fv_libav_, LIBAVFORMAT_VERSION_MAJOR) = {
    .ffmpeg = LIBAVFORMAT_VERSION_MAJOR - 54,
    .open = fv_libav_calls_open,
    .version = version,
    .source = {"libav", NULL, open_reader, read_frame, close_reader, make_index, fv_libav_seek, fv_libav_suits_hwdec,
               fv_libav_use_hwdec, list_packets, pass_frame}};

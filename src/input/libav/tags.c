#include "input/libav/tags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/version.h>

#include "base/error.h"
#include "input/image/icc.h"
#include "input/libav/calls.h"
#include "picture/colour.h"

/*
 * Rates in headers are rounded, some to three decimals: 23.976 for 24000/1001. The tolerance is a fiftieth of the
 * relative difference between rates such as 24 and 24000/1001.
 */
#define STATED_ERROR (1. / 50000)

AVRational fv_tags_rate(const AVStream *stream)
{
    AVRational rate = stream->avg_frame_rate;
    if (rate.num <= 0 || rate.den <= 0)
        rate = stream->r_frame_rate;
    return rate.num <= 0 || rate.den <= 0 ? (AVRational){0, 0} : rate;
}

/*
 * Returns the maximum error of the rate. A time stamp is wrong by at most half a tick, and libavformat estimates a
 * rate from the stamps of several frames.
 */
static double rate_error(const FvContainer *container, const AVStream *stream, AVRational rate)
{
    AVRational stated = {0, 0};
    if (stream->index < FV_CONTAINER_STREAMS)
        stated = container->stated[stream->index];
    if (stated.num > 0 && stated.den > 0 && !av_cmp_q(stated, rate))
        return STATED_ERROR / av_q2d(rate);
    return av_q2d(stream->time_base) / 2;
}

#define IPT_C2 15 /* code point of the matrix IPT-C2 in H.273 */

/* Returns a code point, or `before` if it is not stated (2: unspecified). */
static int code_point(int code, int before)
{
    return code > 0 && code != 2 && code < 256 ? code : before;
}

static FvColour colour_of(const FvHeaderColour *header)
{
    return (FvColour){.range = header->range == AVCOL_RANGE_JPEG   ? FV_RANGE_FULL
                               : header->range == AVCOL_RANGE_MPEG ? FV_RANGE_LIMITED
                                                                   : FV_RANGE_UNKNOWN,
                      .transfer = code_point((int)header->transfer, 0),
                      .primaries = code_point((int)header->primaries, 0),
                      .matrix = code_point((int)header->matrix, 0)};
}

/* Returns the header's code point if the stream states a different colour; else 0. */
static int overruled(FvColourTag tag, int header, int stream)
{
    return header && stream && !fv_colour_same(tag, header, stream) && !fv_colour_near(tag, header, stream) ? header
                                                                                                            : 0;
}

/* Records the header's colours that the stream contradicts. Decoders state the colour of the stream. */
static void note_overruled(FvSourceInfo *info, const FvHeaderColour *stated)
{
    const FvFormat *format = &info->format;
    const FvColour header = colour_of(stated);
    const bool range = header.range && format->range && header.range != format->range;
    info->container_colour = (FvColour){.range = range ? header.range : FV_RANGE_UNKNOWN,
                                        .transfer = overruled(FV_TAG_TRANSFER, header.transfer, format->transfer),
                                        .primaries = overruled(FV_TAG_PRIMARIES, header.primaries, format->primaries),
                                        .matrix = overruled(FV_TAG_MATRIX, header.matrix, format->matrix)};
}

FvFormat fv_tags_colour(int primaries, int transfer, int matrix)
{
    return (FvFormat){
        .primaries = code_point(primaries, 0), .transfer = code_point(transfer, 0), .matrix = code_point(matrix, 0)};
}

bool fv_tags_change(const FvFormat *first, const FvFormat *now, FvColourTag *tag)
{
    static const FvColourTag tags[] = {FV_TAG_TRANSFER, FV_TAG_PRIMARIES, FV_TAG_MATRIX};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        *tag = tags[i];
        if (overruled(*tag, fv_format_tag(first, *tag), fv_format_tag(now, *tag)))
            return true;
    }
    return false;
}

static FvSiting siting_of(enum AVChromaLocation location)
{
    static const FvSiting sitings[] = {FV_SITING_UNKNOWN, FV_SITING_LEFT,       FV_SITING_CENTER, FV_SITING_TOPLEFT,
                                       FV_SITING_TOP,     FV_SITING_BOTTOMLEFT, FV_SITING_BOTTOM};
    return (unsigned)location < sizeof sitings / sizeof *sitings ? sitings[location] : FV_SITING_UNKNOWN;
}

bool fv_tags_interlaced(const AVFrame *picture)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return picture->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return picture->interlaced_frame;
#endif
}

static bool shows_top_first(const AVFrame *picture)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return picture->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    return picture->top_field_first;
#endif
}

/*
 * Returns the field order that the first picture states, or else the container. Matroska's FieldOrder 9 and 14, and
 * the same numbers of QuickTime's fiel, are interleaved fields of which the top or the bottom one is shown first (RFC
 * 9559, 5.1.4.1.28.2; Apple's letter 19 about uncompressed Y'CbCr); libavformat names them TB and BT.
 */
static FvFieldOrder fields_of(const AVStream *stream, const AVFrame *picture)
{
    if (picture && fv_tags_interlaced(picture))
        return shows_top_first(picture) ? FV_FIELDS_TOP_FIRST : FV_FIELDS_BOTTOM_FIRST;
    switch (stream->codecpar->field_order) {
    case AV_FIELD_PROGRESSIVE:
        return FV_FIELDS_PROGRESSIVE;
    case AV_FIELD_TT:
    case AV_FIELD_TB:
        return FV_FIELDS_TOP_FIRST;
    case AV_FIELD_BB:
    case AV_FIELD_BT:
        return FV_FIELDS_BOTTOM_FIRST;
    default:
        return FV_FIELDS_UNKNOWN;
    }
}

static const void *side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t least, size_t *bytes)
{
    size_t ignored;
    bytes = bytes ? bytes : &ignored;
#if LIBAVCODEC_VERSION_MAJOR >= 61
    const AVPacketSideData *found =
        av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *bytes = found ? found->size : 0;
    return found && found->size >= least ? found->data : NULL;
#else
    const void *data = av_stream_get_side_data(stream, type, bytes);
    return data && *bytes >= least ? data : NULL;
#endif
}

/*
 * Recognises Dolby Vision whose pictures are for its own displays alone: IPT-C2 of SMPTE ST 2128, which no tag
 * states.
 */
static void take_dolby_vision(FvFormat *format, const AVStream *stream)
{
    const AVDOVIDecoderConfigurationRecord *own = side_data(stream, AV_PKT_DATA_DOVI_CONF, sizeof *own, NULL);
    if (!own || own->dv_bl_signal_compatibility_id || (own->dv_profile != 5 && own->dv_profile != 10))
        return;
    format->primaries = FV_H273_BT2020;
    format->transfer = FV_H273_PQ;
    format->matrix = IPT_C2;
}

/* Reads the rotation. A display matrix rotates counterclockwise and then mirrors left to right. */
static void take_rotation(FvSourceInfo *info, const AVStream *stream, const AVFrame *picture)
{
    int32_t matrix[9];
    const void *stored = side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, sizeof matrix, NULL);
    const AVFrameSideData *exif = picture ? av_frame_get_side_data(picture, AV_FRAME_DATA_DISPLAYMATRIX) : NULL;
    if (!stored && exif && exif->size >= sizeof matrix)
        stored = exif->data;
    if (!stored)
        return;
    memcpy(matrix, stored, sizeof matrix);
    info->mirrored = (double)matrix[0] * matrix[4] < (double)matrix[1] * matrix[3];
    for (int i = 0; i < 6 && info->mirrored; i += 3)
        matrix[i] = matrix[i] == INT32_MIN ? INT32_MAX : -matrix[i];
    const double angle = -av_display_rotation_get(matrix);
    info->display_rotation = isnan(angle) ? 0 : ((int)lround(angle) % 360 + 360) % 360;
}

static unsigned whole(uint32_t tenthousandths)
{
    return tenthousandths / 10000 + (tenthousandths % 10000 >= 5000);
}

/*
 * Describes the mastering display and the light levels, by the picture, else by the stream, else by the chunks of a
 * PNG, which libavcodec 59 ignores. Returns the display's peak in cd/m2; 0: unknown, or impossible for a display.
 */
static int describe_mastering(char *text, const AVStream *stream, const AVFrame *picture, const FvPng *png)
{
    const FvPngMastering none = {.display = false}, *chunks = png ? &png->mastering : &none;
    AVMasteringDisplayMetadata display = {.has_primaries = 1, .has_luminance = 1};
    for (int i = 0; i < 8; i++)
        *(i < 6 ? &display.display_primaries[i / 2][i % 2] : &display.white_point[i % 2]) =
            (AVRational){chunks->place[i], 50000};
    display.max_luminance = (AVRational){(int)(chunks->most < INT32_MAX ? chunks->most : INT32_MAX), 10000};
    display.min_luminance = (AVRational){(int)(chunks->least < INT32_MAX ? chunks->least : INT32_MAX), 10000};
    const AVContentLightMetadata levels = {whole(chunks->peak), whole(chunks->average)};

    const AVMasteringDisplayMetadata *m = NULL;
    const AVContentLightMetadata *l = NULL;
    const AVFrameSideData *of_picture[] = {
        picture ? av_frame_get_side_data(picture, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA) : NULL,
        picture ? av_frame_get_side_data(picture, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL) : NULL};
    m = of_picture[0] ? (const void *)of_picture[0]->data
                      : side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, sizeof *m, NULL);
    l = of_picture[1] ? (const void *)of_picture[1]->data
                      : side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof *l, NULL);
    m = m || !chunks->display ? m : &display;
    l = l || !chunks->light ? l : &levels;

    size_t length = 0;
    *text = 0;
    if (m && m->has_primaries) {
        length += (size_t)snprintf(text, FV_TAGS_MASTERING, "primaries");
        for (int i = 0; i < 3 && length < FV_TAGS_MASTERING; i++)
            length += (size_t)snprintf(text + length, FV_TAGS_MASTERING - length, " %.4f,%.4f",
                                       av_q2d(m->display_primaries[i][0]), av_q2d(m->display_primaries[i][1]));
        if (length < FV_TAGS_MASTERING)
            length += (size_t)snprintf(text + length, FV_TAGS_MASTERING - length, " white %.4f,%.4f",
                                       av_q2d(m->white_point[0]), av_q2d(m->white_point[1]));
    }
    if (m && m->has_luminance && length < FV_TAGS_MASTERING)
        length += (size_t)snprintf(text + length, FV_TAGS_MASTERING - length, "%s%.4f to %.1f cd/m2",
                                   length ? ", " : "", av_q2d(m->min_luminance), av_q2d(m->max_luminance));
    if (l && length < FV_TAGS_MASTERING)
        snprintf(text + length, FV_TAGS_MASTERING - length, "%sMaxCLL %u MaxFALL %u", length ? ", " : "", l->MaxCLL,
                 l->MaxFALL);
    const double peak = m && m->has_luminance ? av_q2d(m->max_luminance) : 0;
    return peak >= 1 && peak <= 10000 ? (int)lround(peak) : 0;
}

/*
 * Recognises AVIF and HEIC by the brand of a file: of pictures ("avif", "mif1", "heic") or of sequences ("avis",
 * "msf1").
 */
static bool has_brand(const AVFormatContext *demuxer, const char *brands)
{
    const AVDictionaryEntry *major = av_dict_get(demuxer->metadata, "major_brand", NULL, 0);
    return major && strlen(major->value) == 4 && strstr(brands, major->value);
}

static bool is_image(const AVFormatContext *demuxer)
{
    const char *name = demuxer->iformat->name, *end = strstr(name, "_pipe");
    const bool jpegs = !strcmp(name, "mjpeg") && fv_is_picture(demuxer->url); /* such as a JPEG with its gain map */
    return jpegs || !strcmp(name, "image2") || (end && !end[strlen("_pipe")]);
}

bool fv_tags_are_images(const AVFormatContext *demuxer)
{
    return is_image(demuxer) || (has_brand(demuxer, "avif mif1 heic heix") && demuxer->nb_streams == 1 &&
                                 demuxer->streams[0]->nb_frames <= 1);
}

/*
 * Returns the matrix that standards give to pictures without a stated one: MIAF (ISO/IEC 23000-22, 7.3.6.4), TIFF
 * 6.0, JFIF, WebP.
 */
static int usual_matrix(const AVFormatContext *demuxer)
{
    const bool dpx = !strcmp(demuxer->iformat->name, "dpx_pipe"); /* DPX states its colorimetry itself */
    return (is_image(demuxer) && !dpx) || has_brand(demuxer, "avif avis mif1 msf1 heic heix hevc hevx")
               ? FV_H273_BT601
               : FV_H273_UNKNOWN;
}

void fv_tags_of_stream(FvSourceInfo *info, const FvContainer *container, const AVStream *stream,
                       const AVFrame *picture, const FvPng *png, char *mastering)
{
    const AVCodecParameters *codec = stream->codecpar;
    const AVRational rate = fv_tags_rate(stream);
    FvFormat *format = &info->format;
    if (rate.den && !fv_tags_are_images(container->demuxer)) {
        format->rate_num = rate.num;
        format->rate_den = rate.den;
        info->rate_error = rate_error(container, stream, rate);
    }
    /*
     * Examining the streams may have read later pictures, so only the first picture and the container's header are
     * used.
     */
    FvHeaderColour header = {codec->color_range, codec->color_trc, codec->color_primaries, codec->color_space};
    if (picture && stream->index < FV_CONTAINER_STREAMS)
        header = container->colour[stream->index];
    format->primaries =
        code_point(picture ? (int)picture->color_primaries : format->primaries, code_point((int)header.primaries, 0));
    format->transfer =
        code_point(picture ? (int)picture->color_trc : format->transfer, code_point((int)header.transfer, 0));
    format->matrix =
        code_point(picture ? (int)picture->colorspace : format->matrix, code_point((int)header.matrix, 0));
    if (!format->matrix && format->chroma)
        format->matrix = usual_matrix(container->demuxer);
    if (stream->index < FV_CONTAINER_STREAMS)
        note_overruled(info, &container->colour[stream->index]);
    take_dolby_vision(format, stream);
    if (!format->siting)
        format->siting = siting_of(picture ? picture->chroma_location : codec->chroma_location);
    if (!info->fields)
        info->fields = fields_of(stream, picture);
    AVRational aspect = picture ? picture->sample_aspect_ratio : (AVRational){0, 0};
    if (stream->sample_aspect_ratio.num > 0)
        aspect = stream->sample_aspect_ratio; /* the container's aspect ratio, which players use */
    else if (aspect.num <= 0)
        aspect = codec->sample_aspect_ratio;
    if (aspect.num > 0 && aspect.den > 0) {
        info->aspect_num = aspect.num;
        info->aspect_den = aspect.den;
    }
    take_rotation(info, stream, picture);
    format->peak = describe_mastering(mastering, stream, picture, png);
    info->mastering = *mastering ? mastering : NULL;
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

/* Returns whether the picture is JPEG XL made from a PNG whose gAMA is 1 / 2.2; png.c explains what that means. */
static bool states_gamma_for_srgb(const FvContainer *container, const FvFormat *format)
{
    return format->transfer == FV_H273_GAMMA22 && !strncmp(container->demuxer->iformat->name, "jpegxl", 6);
}

static FvStatus fail_colour(const FvSourceInfo *info, const char *what, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: %s: convert the picture to sRGB first, or say what counts instead with `reference.primaries` "
                   "and `reference.transfer`, or `distorted.primaries` and `distorted.transfer`",
                   info->path, what);
}

static FvStatus take_profile(FvSourceInfo *info, const uint8_t *bytes, size_t size, FvError *error)
{
    FvIcc icc;
    const bool read = fv_icc_read(&icc, bytes, size);
    char what[160];
    snprintf(what, sizeof what, "its ICC profile%s%s%s %s", *icc.name ? " '" : "", icc.name, *icc.name ? "'" : "",
             read ? "is none of sRGB, Display P3 and BT.2020" : "is damaged, or neither of RGB nor of gray");
    if (!read || !icc.primaries || !icc.transfer)
        return fail_colour(info, what, error);
    info->format.primaries = icc.primaries;
    info->format.transfer = icc.transfer;
    return FV_OK;
}

FvStatus fv_tags_of_picture(FvSourceInfo *info, const FvContainer *container, const AVStream *stream,
                            const AVFrame *picture, const FvPng *png, const FvFormat *given, FvError *error)
{
    FvFormat *format = &info->format;
    size_t size;
    const AVFrameSideData *found = av_frame_get_side_data(picture, AV_FRAME_DATA_ICC_PROFILE);
    const uint8_t *profile = side_data(stream, AV_PKT_DATA_ICC_PROFILE, 1, &size);
    if (found) {
        profile = found->data;
        size = found->size;
    }
    const bool follows = !(given->primaries && given->transfer);
    if (profile && !png->coded && follows)
        return take_profile(info, profile, size, error);
    if (png->unknown && !png->coded && follows)
        return fail_colour(info, "its chunks gAMA and cHRM state another colour than sRGB, Display P3 and BT.2020",
                           error);
    format->primaries = code_point(png->primaries, format->primaries);
    format->transfer = code_point(png->transfer, format->transfer);
    if (states_gamma_for_srgb(container, format))
        format->transfer = FV_H273_SRGB;
    info->image = is_image(container->demuxer);
    if (info->image && format->chroma == FV_CHROMA_400 && !format->range)
        format->range = FV_RANGE_FULL;
    return FV_OK;
}

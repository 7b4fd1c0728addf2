/* Reads YUV4MPEG2: a line of text about the video, then for each frame a line and planar samples. docs/input.md */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "input/plain/planar.h"
#include "input/planes.h"

#define SIGNATURE "YUV4MPEG2"
#define FRAME_LINE "FRAME\n"
#define LINE 2048 /* maximum bytes of a line */

static bool probe(const FvSource *source)
{
    size_t length = strlen(SIGNATURE);
    return source->stream.filled >= (int)length && !memcmp(source->stream.buffer, SIGNATURE, length);
}

static FvStatus fail_header(const FvSource *source, const char *word, const char *remedy, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT, "%s: '%.40s' in the Y4M header %s", source->info.path, word, remedy);
}

/* Reads a decimal number without a sign, at most `maximum`, and advances *text past it. */
static bool take_number(const char **text, int maximum, int *value)
{
    if (!isdigit((unsigned char)**text))
        return false;
    char *end;
    unsigned long long number = strtoull(*text, &end, 10);
    if (end - *text > 18 || number > (unsigned)maximum)
        return false;
    *text = end;
    *value = (int)number;
    return true;
}

static bool parse_side(const char *text, int *value)
{
    return take_number(&text, FV_MAX_SIDE, value) && !*text && *value;
}

static bool parse_ratio(const char *text, int *num, int *den)
{
    return take_number(&text, INT32_MAX, num) && *text++ == ':' && take_number(&text, INT32_MAX, den) && !*text;
}

typedef struct ChromaTag {
    const char *name;
    FvChroma chroma;
    bool depths; /* the tag may be followed by a depth: 420p10, mono12 */
    FvSiting siting;
} ChromaTag;

/* The chroma tags. In paldv, Cr samples are one line below the Cb samples. */
static const ChromaTag chroma_tags[] = {
    {"420jpeg", FV_CHROMA_420, false, FV_SITING_CENTER},   {"420mpeg2", FV_CHROMA_420, false, FV_SITING_LEFT},
    {"420paldv", FV_CHROMA_420, false, FV_SITING_TOPLEFT}, {"420p", FV_CHROMA_420, true, FV_SITING_UNKNOWN},
    {"422p", FV_CHROMA_422, true, FV_SITING_UNKNOWN},      {"444p", FV_CHROMA_444, true, FV_SITING_UNKNOWN},
    {"420", FV_CHROMA_420, false, FV_SITING_UNKNOWN},      {"422", FV_CHROMA_422, false, FV_SITING_UNKNOWN},
    {"444", FV_CHROMA_444, false, FV_SITING_UNKNOWN},      {"mono", FV_CHROMA_400, true, FV_SITING_UNKNOWN},
    {"mono", FV_CHROMA_400, false, FV_SITING_UNKNOWN},     {"411p", FV_CHROMA_411, true, FV_SITING_UNKNOWN},
    {"440p", FV_CHROMA_440, true, FV_SITING_UNKNOWN},      {"410p", FV_CHROMA_410, true, FV_SITING_UNKNOWN},
    {"411", FV_CHROMA_411, false, FV_SITING_UNKNOWN},      {"440", FV_CHROMA_440, false, FV_SITING_UNKNOWN},
    {"410", FV_CHROMA_410, false, FV_SITING_UNKNOWN},
};

static FvStatus parse_chroma(FvSource *source, const char *word, const char *tag, FvError *error)
{
    FvFormat *format = &source->info.format;
    for (size_t i = 0; i < sizeof chroma_tags / sizeof *chroma_tags; i++) {
        size_t length = strlen(chroma_tags[i].name);
        if (strncasecmp(tag, chroma_tags[i].name, length))
            continue;
        const char *rest = tag + length;
        int depth = 8;
        if (chroma_tags[i].depths && (!take_number(&rest, 16, &depth) || depth < 8))
            continue;
        if (*rest)
            continue;
        format->chroma = chroma_tags[i].chroma;
        format->siting = chroma_tags[i].siting;
        format->depth = depth;
        return FV_OK;
    }
    if (!strcasecmp(tag, "444alpha"))
        return fail_header(source, word, "has an alpha plane; convert the file to C444 without alpha", error);
    return fail_header(source, word,
                       "is not a chroma format that fovea reads; convert the file to mono, 420, 422, 444, 411, 440 "
                       "or 410 of 8 to 16 bits",
                       error);
}

static FvStatus parse_extension(FvSource *source, const char *word, bool chroma_known, FvError *error)
{
    static const char range[] = "XCOLORRANGE=", sampling[] = "XYSCSS=";
    if (!strncmp(word, range, sizeof range - 1)) {
        const char *value = word + sizeof range - 1;
        if (strcmp(value, "LIMITED") && strcmp(value, "FULL"))
            return fail_header(source, word, "is neither LIMITED nor FULL", error);
        source->info.format.range = *value == 'L' ? FV_RANGE_LIMITED : FV_RANGE_FULL;
    } else if (!strncmp(word, sampling, sizeof sampling - 1) && !chroma_known) {
        return parse_chroma(source, word, word + sizeof sampling - 1, error);
    }
    return FV_OK;
}

/* The letters of field orders, in the order of FvFieldOrder. */
static const char field_orders[] = "?ptbm";

/* Parses one parameter: a letter and its value. */
static FvStatus parse_word(FvSource *source, const char *word, bool chroma_known, FvError *error)
{
    FvFormat *format = &source->info.format;
    int num, den;
    switch (*word) {
    case 'W':
        if (!parse_side(word + 1, &format->width))
            return fail_header(source, word, "is not a width from 1 to 32768", error);
        return FV_OK;
    case 'H':
        if (!parse_side(word + 1, &format->height))
            return fail_header(source, word, "is not a height from 1 to 32768", error);
        return FV_OK;
    case 'F':
        if (!parse_ratio(word + 1, &num, &den))
            return fail_header(source, word, "is not a frame rate; write it like F30000:1001", error);
        format->rate_num = den ? num : 0;
        format->rate_den = num ? den : 0;
        return FV_OK;
    case 'A':
        if (!parse_ratio(word + 1, &num, &den))
            return fail_header(source, word, "is not a pixel aspect; write it like A1:1", error);
        source->info.aspect_num = den ? num : 0;
        source->info.aspect_den = num ? den : 0;
        return FV_OK;
    case 'I':
        if (!word[1] || word[2] || !strchr(field_orders, word[1]))
            return fail_header(source, word, "is not a field order; it is one of I?, Ip, It, Ib, Im", error);
        source->info.fields = (FvFieldOrder)(strchr(field_orders, word[1]) - field_orders);
        return FV_OK;
    case 'C':
        return parse_chroma(source, word, word + 1, error);
    case 'X':
        return parse_extension(source, word, chroma_known, error);
    default:
        return fail_header(source, word, "is not a known parameter", error);
    }
}

static FvStatus parse_header(FvSource *source, char *line, FvError *error)
{
    FvFormat *format = &source->info.format;
    *format = (FvFormat){.chroma = FV_CHROMA_420, .depth = 8};
    bool seen[256] = {false};
    char *rest = line;
    const char *word = strsep(&rest, " ");
    if (strcmp(word, SIGNATURE))
        return fv_fail(error, FV_FAIL_UNKNOWN_FORMAT, "%s does not begin with " SIGNATURE ", so it is not a Y4M file",
                       source->info.path);
    while ((word = strsep(&rest, " "))) {
        if (!*word)
            continue;
        bool *before = &seen[(unsigned char)*word];
        if (*before && *word != 'X')
            return fail_header(source, word, "is given twice", error);
        *before = true;
        FvStatus status = parse_word(source, word, seen['C'], error);
        if (status)
            return status;
    }
    if (!format->width || !format->height)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: the Y4M header lacks its %s; write the file again, or read it as raw video",
                       source->info.path, format->width ? "height" : "width");
    return FV_OK;
}

static FvStatus open_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    char line[LINE];
    FvStatus status = fv_stream_read_line(&source->stream, line, sizeof line, "Y4M header", error);
    if (!status)
        status = parse_header(source, line, error);
    if (status)
        return status;
    source->info.container = "y4m";
    source->info.codec = "rawvideo";
    /* If frame lines have no parameters, as in nearly all files, the file size gives the number of frames. */
    int64_t frame = fv_planes_bytes(&source->info.format) + (int64_t)strlen(FRAME_LINE), left = source->stream.left;
    source->info.frames = left >= 0 && left % frame == 0 ? left / frame : -1;
    source->info.frames_exact = source->info.frames >= 0;
    return FV_OK;
}

/* Reads the line before frame `number`. */
static FvStatus read_frame_line(FvSource *source, int64_t number, FvError *error)
{
    char line[LINE], what[64];
    snprintf(what, sizeof what, "line that begins frame %" PRId64, number);
    FvStatus status = fv_stream_read_line(&source->stream, line, sizeof line, what, error);
    if (status)
        return status;
    if (strncmp(line, "FRAME", 5) || (line[5] && line[5] != ' '))
        return fv_fail(error, FV_FAIL_DAMAGED, "%s: frame %" PRId64 " does not begin with FRAME", source->info.path,
                       number);
    return FV_OK;
}

static FvStatus read_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    FvStatus status = read_frame_line(source, source->next, error);
    return status ? status : fv_planar_read(source, frame, error);
}

static FvStatus pass_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    const int64_t bytes = fv_planes_bytes(&source->info.format);
    FvStatus status = read_frame_line(source, source->next, error);
    if (status || source->stream.left < bytes)
        return status ? status : fv_planar_read(source, frame, error);
    fv_stream_seek(&source->stream, fv_stream_position(&source->stream) + bytes);
    source->undecoded++;
    return fv_frame_skip_decoding(frame, &source->info.format, error);
}

static FvStatus skip_header(FvSource *source, FvError *error)
{
    char line[LINE];
    fv_stream_seek(&source->stream, 0);
    return fv_stream_read_line(&source->stream, line, sizeof line, "Y4M header", error);
}

/*
 * Finds every frame by its line. Lines may have parameters of any length, so the place of a frame is known only from
 * the end of the previous one.
 */
static FvStatus find_frames(FvSource *source, FvError *error)
{
    FvNumbers places = {.count = 0};
    const int64_t bytes = fv_planes_bytes(&source->info.format);
    FvStatus status = FV_OK;
    for (;;) {
        const int64_t at = fv_stream_position(&source->stream);
        status = read_frame_line(source, places.count, error);
        if (status)
            break;
        if (source->stream.left < bytes)
            status =
                fv_fail(error, FV_FAIL_CUT_SHORT, "%s ends within frame %" PRId64, source->info.path, places.count);
        else if (!fv_numbers_add(&places, at))
            status = fv_fail_memory(error, (size_t)places.room * sizeof at);
        if (status)
            break;
        fv_stream_seek(&source->stream, fv_stream_position(&source->stream) + bytes);
    }
    source->index.place = places.item;
    source->index.shown.frames = places.count;
    return status == FV_END ? FV_OK : status;
}

static FvStatus make_index(FvSource *source, FvError *error)
{
    FvStatus status = skip_header(source, error);
    if (!status && source->info.frames < 0)
        return find_frames(source, error);
    source->index.shown.frames = source->info.frames;
    return status;
}

static FvStatus seek(FvSource *source, int64_t frame, FvError *error)
{
    const int64_t bytes = fv_planes_bytes(&source->info.format) + (int64_t)strlen(FRAME_LINE);
    FvStatus status = skip_header(source, error);
    const int64_t first = fv_stream_position(&source->stream);
    source->next = frame;
    if (!status)
        fv_stream_seek(&source->stream, source->index.place ? source->index.place[frame] : first + frame * bytes);
    return status;
}

const FvSourceOps fv_source_y4m = {"y4m", probe, open_reader, read_frame, NULL,       make_index,
                                   seek,  NULL,  NULL,        NULL,       pass_frame, NULL};

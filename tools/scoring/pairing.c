#include "scoring/pairing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "scoring/choice.h"

static const char *const sides[] = {"ref", "dis"};

static FvStatus parse_colour(const char *text, FvColourTag tag, const char *name, int side, int *code)
{
    if (!text)
        return FV_OK;
    *code = fv_colour_code(tag, text);
    if (*code > 0)
        return FV_OK;
    return complain(FV_ERROR_USAGE,
                    "--%s-%s does not know '%s': it takes names such as bt709, bt601, bt2020%s, or a code point of "
                    "ITU-T H.273 from 1 to 255",
                    name, sides[side], text, tag == FV_TAG_TRANSFER ? ", srgb, pq, hlg" : "");
}

static FvStatus parse_background(const char *text, int *colour)
{
    const char *digits = text && *text == '#' ? text + 1 : text;
    if (!text)
        return FV_OK;
    if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6)
        return complain(FV_ERROR_USAGE, "--background takes a colour as RRGGBB, six hexadecimal digits, not '%s'",
                        text);
    *colour = (int)strtol(digits, NULL, 16);
    return FV_OK;
}

#define CONVERT_RGB 16u /* next to the bits of FvConversion */

static FvStatus parse_conversions(const char *text, unsigned *convert)
{
    static const char *const names[] = {"range", "matrix", "chroma", "depth", "rgb", "all"};
    while (*text) {
        size_t length = strcspn(text, ",");
        unsigned bit = 0;
        for (unsigned i = 0; i < 6; i++)
            if (strlen(names[i]) == length && !strncmp(names[i], text, length))
                bit = i < 5 ? 1u << i : 31u;
        if (!bit)
            return complain(FV_ERROR_USAGE,
                            "--convert does not know '%.*s': it takes range, matrix, chroma, depth, rgb and all",
                            (int)length, text);
        *convert |= bit;
        text += length + (text[length] == ',');
    }
    return FV_OK;
}

static bool are_pictures(const Options *options)
{
    bool good = fv_is_picture(options->reference) && (options->encodes.count || fv_is_picture(options->distorted));
    for (int i = 0; i < options->encodes.count; i++)
        good = good && fv_is_picture(options->encodes.items[i]);
    return good;
}

/* Everything that --convert names: bits of FvConversion, and CONVERT_RGB. Pictures are converted without being asked.
 */
static FvStatus all_conversions(const Options *options, unsigned *convert)
{
    FvStatus status = FV_OK;
    if (!options->convert.count && are_pictures(options))
        *convert = 31;
    for (int i = 0; i < options->convert.count && !status; i++)
        status = parse_conversions(options->convert.items[i], convert);
    return status;
}

static FvRotate rotation_of(const Options *options, int side)
{
    static const char *const names[] = {"auto", "0", "90", "180", "270"};
    const char *text = options->rotation[side] ? options->rotation[side] : options->rotate;
    for (int i = 0; text && i < 5; i++)
        if (!strcmp(text, names[i]))
            return (FvRotate)(FV_ROTATE_AUTO + i);
    return FV_ROTATE_NONE;
}

static const struct {
    const char *name;
    FvFieldOrder order;
} field_orders[] = {
    {"top", FV_FIELDS_TOP_FIRST}, {"bottom", FV_FIELDS_BOTTOM_FIRST}, {"progressive", FV_FIELDS_PROGRESSIVE}};

FvStatus pairing_tags(const Options *options, int side, FvSourceParams *params)
{
    FvFormat *tags = &params->tags;
    if (options->range[side])
        tags->range = strcmp(options->range[side], "full") ? FV_RANGE_LIMITED : FV_RANGE_FULL;
    tags->siting = fv_siting_parse(options->siting[side]);
    for (int i = 0; options->fields_of[side] && i < 3; i++)
        if (!strcmp(options->fields_of[side], field_orders[i].name))
            params->fields = field_orders[i].order;
    params->stream = (int)options->stream[side];
    params->rotate = rotation_of(options, side);
    const char *grain = options->film_grain_of[side] ? options->film_grain_of[side] : options->film_grain;
    params->no_grain = grain && !strcmp(grain, "off");
    unsigned convert = 0;
    FvStatus status = all_conversions(options, &convert);
    params->rgb = !options->convert.count ? choice_rgb(options, are_pictures(options))
                  : convert & CONVERT_RGB ? FV_RGB_CONVERT
                                          : FV_RGB_REFUSE;
    if (!status)
        status = parse_background(options->background, &params->background);
    if (!status)
        status = parse_colour(options->matrix[side], FV_TAG_MATRIX, "matrix", side, &tags->matrix);
    if (!status)
        status = parse_colour(options->transfer[side], FV_TAG_TRANSFER, "transfer", side, &tags->transfer);
    if (!status)
        status = parse_colour(options->primaries[side], FV_TAG_PRIMARIES, "primaries", side, &tags->primaries);
    return status;
}

static bool parse_time(const char *text, int64_t *time)
{
    double seconds = 0;
    int parts = 0;
    for (const char *at = text;; parts++) {
        char *end;
        if (strspn(at, "0123456789.") == 0 || parts == 3)
            return false;
        double part = strtod(at, &end);
        if (!isfinite(part) || (*end && *end != ':') || (*end == ':' && part != floor(part)))
            return false;
        seconds = seconds * 60 + part;
        if (!*end)
            break;
        at = end + 1;
    }
    *time = seconds < 1e9 ? (int64_t)floor(seconds * 1e6 + 0.5) : -1;
    return *time >= 0;
}

FvStatus pairing_time(const char *option, const char *text, bool zero, int64_t *time)
{
    *time = 0;
    if (!text || (parse_time(text, time) && (zero || *time)))
        return FV_OK;
    return complain(FV_ERROR_USAGE, "%s takes seconds or [HOURS:]MINUTES:SECONDS, not '%s'", option, text);
}

static FvStatus parse_crop(const char *text, int side, FvCrop *crop)
{
    int length = 0;
    if (!text || !strcmp(text, "auto"))
        return FV_OK;
    if (sscanf(text, "%5d:%5d:%5d:%5d%n", &crop->width, &crop->height, &crop->x, &crop->y, &length) == 4 &&
        !text[length] && crop->width > 0 && crop->height > 0 && crop->x >= 0 && crop->y >= 0)
        return FV_OK;
    return complain(FV_ERROR_USAGE, "--crop-%s takes WIDTH:HEIGHT:X:Y or auto, not '%s'", sides[side], text);
}

static FvStatus parse_scale(const char *text, FvScale *scale)
{
    static const char *const names[] = {"none", "dis", "ref", "display"};
    int length = 0;
    for (int i = 0; text && i < 4; i++)
        if (!strcmp(text, names[i])) {
            scale->to = (FvScaleTo)i;
            return FV_OK;
        }
    if (!text)
        return FV_OK;
    scale->to = FV_SCALE_SIZE;
    if (sscanf(text, "%5dx%5d%n", &scale->width, &scale->height, &length) == 2 && !text[length] && scale->width > 0 &&
        scale->height > 0)
        return FV_OK;
    return complain(FV_ERROR_USAGE, "--scale takes dis, ref, display or WIDTHxHEIGHT, not '%s'", text);
}

static FvStatus parse_kernel(const char *text, FvScale *scale)
{
    static const char *const names[] = {"bicubic", "bilinear", "lanczos", "spline36"};
    int length = 0;
    for (int i = 0; text && i < 4; i++)
        if (!strcmp(text, names[i])) {
            scale->kernel = (FvScaleKernel)i;
            return FV_OK;
        }
    if (!text)
        return FV_OK;
    scale->cubic = true;
    if (sscanf(text, "bicubic:%lf:%lf%n", &scale->b, &scale->c, &length) == 2 && !text[length] && scale->b >= 0 &&
        scale->b <= 1 && scale->c >= 0 && scale->c <= 1)
        return FV_OK;
    return complain(
        FV_ERROR_USAGE,
        "--kernel takes bicubic, bicubic:B:C with B and C from 0 to 1, bilinear, lanczos or spline36, not "
        "'%s'",
        text);
}

FvStatus pairing_find_bars(const Options *options, int side, const FvSourceParams *source, FvCrop *crop)
{
    FvError error;
    if (!options->crop[side] || strcmp(options->crop[side], "auto"))
        return FV_OK;
    FvStatus status = fv_find_bars(crop, source, &error);
    return status ? complain(status, "--crop-%s auto: %s", sides[side], error.message) : FV_OK;
}

FvStatus pairing_params(const Options *options, FvScoreParams *params)
{
    FvStatus status = pairing_time("--start", options->start, true, &params->start);
    if (!status)
        status = pairing_time("--duration", options->duration, false, &params->duration);
    for (int side = 0; side < 2 && !status; side++)
        status = parse_crop(options->crop[side], side, &params->crop[side]);
    if (!status)
        status = parse_scale(options->scale, &params->scale);
    if (!status)
        status = parse_kernel(options->kernel, &params->scale);
    params->scale.fit = options->stretch ? FV_FIT_STRETCH : options->pad ? FV_FIT_PAD : FV_FIT_SAME;
    if (!status && options->stretch && options->pad)
        status = complain(FV_ERROR_USAGE, "--pad and --stretch exclude each other");
    if (!status && options->pad && !params->scale.to)
        status = complain(FV_ERROR_USAGE, "--pad adds bars to what is scaled: it needs --scale");
    if (!status && options->kernel && !params->scale.to && !options->convert.count)
        status = complain(FV_ERROR_USAGE, "--kernel %s has no effect without --scale", options->kernel);
    if (!status)
        status = all_conversions(options, &params->convert);
    params->convert &= ~CONVERT_RGB; /* readers convert RGB */
    return status;
}

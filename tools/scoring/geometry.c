#include "scoring/geometry.h"

#include <string.h>

#include "cli/message.h"

/* "420" and "yuv420p", "yuv420p10le", "gray", "gray12le": chroma, and the depth in the name, else 0. */
static bool parse_pixel_format(const char *name, FvChroma *chroma, int *depth)
{
    static const struct {
        const char *name;
        FvChroma chroma;
    } families[] = {{"400", FV_CHROMA_400},     {"420", FV_CHROMA_420},     {"422", FV_CHROMA_422},
                    {"444", FV_CHROMA_444},     {"gray", FV_CHROMA_400},    {"yuv400p", FV_CHROMA_400},
                    {"yuv420p", FV_CHROMA_420}, {"yuv422p", FV_CHROMA_422}, {"yuv444p", FV_CHROMA_444}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i].name);
        if (strncmp(name, families[i].name, length))
            continue;
        const char *rest = name + length;
        bool named = families[i].name[0] > '9';
        *chroma = families[i].chroma;
        *depth = named ? 8 : 0;
        if (!*rest)
            return true;
        char digits[4] = "";
        int64_t bits;
        size_t count = strspn(rest, "0123456789");
        if (!named || !count || count > 2 || strcmp(rest + count, "le"))
            return false;
        memcpy(digits, rest, count);
        if (!arg_parse_int(digits, 9, 16, &bits))
            return false;
        *depth = (int)bits;
        return true;
    }
    return false;
}

FvStatus geometry_parse(const Options *given, FvFormat *format)
{
    if (given->reader && !strcmp(given->reader, "icpf")) {
        *format = (FvFormat){.depth = (int)given->depth};
        return FV_OK;
    }
    *format = (FvFormat){.width = (int)given->width, .height = (int)given->height, .depth = (int)given->depth};
    if (!given->width && !given->height && !given->pixel_format && !given->depth)
        return FV_OK;
    int depth = 0;
    FvFormat layout = {0};
    if (fv_raw_layout(given->pixel_format, &layout)) {
        format->chroma = layout.chroma;
        depth = layout.depth;
    } else if (given->pixel_format && !parse_pixel_format(given->pixel_format, &format->chroma, &depth)) {
        return complain(
            FV_ERROR_USAGE,
            "--pixel-format does not know '%s': it takes 400, 420, 422, 444, planar names such as yuv420p "
            "and yuv422p10le, and packed names such as nv12, p010, uyvy422, y210 and v210",
            given->pixel_format);
    }
    if (depth && format->depth && depth != format->depth)
        return complain(FV_ERROR_USAGE, "--pixel-format %s has %d bits per sample, but --bitdepth is %d",
                        given->pixel_format, depth, format->depth);
    if (depth)
        format->depth = depth;
    const char *missing = !given->width          ? "--width"
                          : !given->height       ? "--height"
                          : !given->pixel_format ? "--pixel-format"
                          : !format->depth       ? "--bitdepth"
                                                 : NULL;
    if (missing)
        return complain(FV_ERROR_USAGE,
                        "raw video needs --width, --height, --pixel-format and --bitdepth together; %s is missing",
                        missing);
    return FV_OK;
}

const char *geometry_layout(const Options *given)
{
    return fv_raw_layout(given->pixel_format, NULL) ? given->pixel_format : NULL;
}

static bool takes_geometry(const FvSource *source)
{
    const FvSourceInfo *info = fv_source_info(source);
    return info && (!strcmp(info->reader, "raw") || !strcmp(info->reader, "icpf"));
}

void geometry_check(const Options *given, const FvSource *reference, const FvSource *distorted)
{
    const bool any = given->width || given->height || given->pixel_format || given->depth;
    if (any && !given->reader && !takes_geometry(reference) && !takes_geometry(distorted))
        warn("the geometry given is ignored: %s has its own", fv_source_info(distorted)->path);
}

#include "clip.h"

static bool refuse(FvError *error, const char *role, const char *what)
{
    error->status = FV_ERROR_INPUT;
    snprintf(error->message, sizeof error->message, "the %s clip %s", role, what);
    return false;
}

static bool chroma_of(const VSVideoFormat *format, FvChroma *chroma)
{
    bool grey = format->colorFamily == cfGray;
    *chroma = grey                                                ? FV_CHROMA_400
              : !format->subSamplingW && !format->subSamplingH    ? FV_CHROMA_444
              : format->subSamplingW == 1 && format->subSamplingH ? FV_CHROMA_420
                                                                  : FV_CHROMA_422;
    return grey || (format->colorFamily == cfYUV && format->subSamplingW <= 1 &&
                    format->subSamplingH <= format->subSamplingW);
}

/* Returns a property that is a number; -1: the picture lacks it. */
static int64_t number(const VSMap *properties, const char *name, const VSAPI *api)
{
    int missing;
    int64_t value = api->mapGetInt(properties, name, 0, &missing);
    return missing || value < 0 ? -1 : value;
}

static int code(const VSMap *properties, const char *name, const VSAPI *api)
{
    int64_t value = number(properties, name, api);
    return value > 0 && value <= 255 ? (int)value : 0;
}

static void read_colour(const VSMap *properties, FvFormat *format, const VSAPI *api)
{
    int missing;
    int64_t full = number(properties, "_Range", api), limited = number(properties, "_ColorRange", api);
    int64_t siting = number(properties, "_ChromaLocation", api);
    double peak = api->mapGetFloat(properties, "MasteringDisplayMaxLuminance", 0, &missing);
    format->transfer = code(properties, "_Transfer", api);
    format->primaries = code(properties, "_Primaries", api);
    format->matrix = code(properties, "_Matrix", api);
    if (full == 1 || limited == 0)
        format->range = FV_RANGE_FULL;
    else if (full == 0 || limited == 1)
        format->range = FV_RANGE_LIMITED;
    if (siting >= 0 && siting <= 5)
        format->siting = (FvSiting)(FV_SITING_LEFT + siting);
    if (!missing && peak > 0 && peak <= 10000)
        format->peak = (int)(peak + 0.5);
}

bool clip_format(const char *role, VSNode *node, FvFormat *format, const VSAPI *api, FvError *error)
{
    const VSVideoInfo *info = api->getVideoInfo(node);
    const VSVideoFormat *stored = &info->format;
    FvChroma chroma;
    if (stored->colorFamily == cfUndefined || info->width <= 0 || info->height <= 0)
        return refuse(error, role, "changes its format or size: give it one with resize.Bicubic(...)");
    if (!chroma_of(stored, &chroma) || stored->sampleType != stInteger || stored->bitsPerSample > 16)
        return refuse(
            error, role,
            "is neither grey nor YUV 4:2:0, 4:2:2 or 4:4:4 with whole numbers of 8 to 16 bits: convert it, as "
            "by resize.Bicubic(format=vs.YUV444P16, matrix_s=\"709\")");
    *format =
        (FvFormat){.width = info->width, .height = info->height, .chroma = chroma, .depth = stored->bitsPerSample};
    if (info->fpsNum > 0 && info->fpsDen > 0 && info->fpsNum <= INT32_MAX && info->fpsDen <= INT32_MAX) {
        format->rate_num = (int)info->fpsNum;
        format->rate_den = (int)info->fpsDen;
    }
    char why[512] = "";
    const VSFrame *first = api->getFrame(0, node, why, sizeof why);
    if (!first) {
        char text[600];
        snprintf(text, sizeof text, "has no first picture: %s", why);
        return refuse(error, role, text);
    }
    read_colour(api->getFramePropertiesRO(first), format, api);
    api->freeFrame(first);
    return true;
}

FvStatus clip_frame(const VSFrame *picture, const FvFormat *format, FvFrame **frame, const VSAPI *api, FvError *error)
{
    const void *data[3] = {NULL, NULL, NULL};
    ptrdiff_t stride[3] = {0, 0, 0};
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        data[plane] = api->getReadPtr(picture, plane);
        stride[plane] = api->getStride(picture, plane);
    }
    return fv_frame_copy(frame, format, data, stride, error);
}

#include "input/libav/pixels.h"

#include <stdlib.h>
#include <string.h>

#include "input/libav/calls.h"

/* Describes a palette: bytes that choose among 256 colours, each a word of four bytes: alpha, red, green, blue. */
static void describe_palette(FvPixels *pixels)
{
    *pixels = (FvPixels){.chroma = FV_CHROMA_444, .depth = 8, .rgb = true, .alpha = true, .palette = true};
    for (int i = 0; i < 4; i++)
        pixels->component[i].words = (FvWords){.step = 1, .mask = 255};
}

static bool find_chroma(const AVPixFmtDescriptor *format, FvChroma *chroma)
{
    *chroma = FV_CHROMA_400;
    if (format->nb_components < 3)
        return true;
    if (format->log2_chroma_h > 1 || format->log2_chroma_w > 1 || format->log2_chroma_h > format->log2_chroma_w)
        return false;
    *chroma = format->log2_chroma_h ? FV_CHROMA_420 : format->log2_chroma_w ? FV_CHROMA_422 : FV_CHROMA_444;
    return true;
}

static const char *refuse(const AVPixFmtDescriptor *format, FvChroma *chroma)
{
    if (format->flags & AV_PIX_FMT_FLAG_HWACCEL)
        return "lies in the memory of a device";
    if (format->flags & AV_PIX_FMT_FLAG_BAYER)
        return "is the mosaic of a camera sensor";
    if (!strncmp(format->name, "xyz", 3))
        return "is XYZ";
    if (format->flags & AV_PIX_FMT_FLAG_FLOAT)
        return "has floating-point samples";
    if (format->flags & AV_PIX_FMT_FLAG_BITSTREAM || format->comp[0].depth < 8 || format->comp[0].depth > 16)
        return "does not have 8 to 16 bits a sample";
    if (!find_chroma(format, chroma))
        return "has a chroma format other than 4:0:0, 4:2:0, 4:2:2 and 4:4:4";
    return NULL;
}

/* Returns whether another component, alpha included, has bits in the 16-bit words of this one. */
static bool shares_words(const AVPixFmtDescriptor *format, int component)
{
    for (int other = 0; other < format->nb_components; other++)
        if (other != component && format->comp[other].plane == format->comp[component].plane &&
            abs(format->comp[other].offset - format->comp[component].offset) < 2)
            return true;
    return false;
}

const char *fv_pixels_describe(FvPixels *pixels, enum AVPixelFormat number)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(number);
    *pixels = (FvPixels){0};
    if (!format)
        return "is not known to this version of libavutil";
    if (format->flags & AV_PIX_FMT_FLAG_PAL) {
        describe_palette(pixels);
        return NULL;
    }
    const char *refused = refuse(format, &pixels->chroma);
    if (refused)
        return refused;
    pixels->depth = format->comp[0].depth;
    pixels->full = !strncmp(format->name, "yuvj", 4);
    pixels->rgb = format->flags & AV_PIX_FMT_FLAG_RGB;
    const AVComponentDescriptor *last = &format->comp[format->nb_components - 1];
    pixels->alpha = format->flags & AV_PIX_FMT_FLAG_ALPHA && last->depth == pixels->depth;
    for (int i = 0; i < 4; i++) {
        const int stored = i == FV_PIXELS_ALPHA ? format->nb_components - 1 : i;
        const AVComponentDescriptor *component = &format->comp[stored];
        if (i == FV_PIXELS_ALPHA ? !pixels->alpha : i && !pixels->chroma)
            continue;
        bool bytes = component->depth == 8;
        if (component->depth != pixels->depth || component->shift + component->depth > (bytes ? 8 : 16))
            return "packs its samples in a way that fovea does not know";
        uint16_t mask = (uint16_t)((1u << component->depth) - 1);
        bool swap = format->flags & AV_PIX_FMT_FLAG_BE ? FV_SWAP_BIG : FV_SWAP_LITTLE;
        pixels->component[i].plane = component->plane;
        pixels->component[i].offset = component->offset;
        pixels->component[i].words = (FvWords){component->step, swap, component->shift, mask};
        pixels->component[i].empty = shares_words(format, stored) ? 0 : (uint16_t) ~(mask << component->shift);
    }
    return NULL;
}

bool fv_pixels_unpack(const FvPixels *pixels, int plane, void *row, const uint8_t *from, int count)
{
    FvWords words = pixels->component[plane].words;
    from += pixels->component[plane].offset;
    if (pixels->depth > 8)
        return !(fv_samples_unpack16(row, from, words, count) & pixels->component[plane].empty);
    fv_samples_unpack8(row, from, words.step, count);
    return true;
}

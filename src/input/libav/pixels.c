#include "input/libav/pixels.h"

#include <stdlib.h>

#include "input/libav/calls.h"
#include "picture/floats.h"
#include "picture/format.h"

/* Describes a palette: bytes that choose among 256 colours, each a word of four bytes: alpha, red, green, blue. */
static void describe_palette(FvLibavPixels *pixels)
{
    *pixels = (FvLibavPixels){.chroma = FV_CHROMA_444, .depth = 8, .rgb = true, .alpha = true, .palette = true};
    for (int i = 0; i < 4; i++)
        pixels->component[i].words = (FvWords){.step = 1, .mask = 255};
}

static bool find_chroma(const AVPixFmtDescriptor *format, FvChroma *chroma)
{
    *chroma = FV_CHROMA_400;
    if (format->nb_components < 3)
        return true;
    for (int i = FV_CHROMA_420; i <= FV_CHROMA_410; i++) {
        const FvChromaSteps steps = fv_chroma_steps((FvChroma)i);
        if (i != FV_CHROMA_RGB && steps.across == 1 << format->log2_chroma_w &&
            steps.down == 1 << format->log2_chroma_h) {
            *chroma = (FvChroma)i;
            return true;
        }
    }
    return false;
}

static const char *refuse(const AVPixFmtDescriptor *format, FvChroma *chroma)
{
    if (format->flags & AV_PIX_FMT_FLAG_HWACCEL)
        return "lies in the memory of a device";
    if (format->flags & AV_PIX_FMT_FLAG_BAYER)
        return "is the mosaic of a camera sensor";
    if (!strncmp(format->name, "xyz", 3))
        return "is XYZ";
    const bool floats = format->flags & AV_PIX_FMT_FLAG_FLOAT;
    const int depth = format->comp[0].depth;
    if (format->flags & AV_PIX_FMT_FLAG_BITSTREAM || (floats ? depth != 16 && depth != 32 : depth < 8 || depth > 16))
        return "does not have 8 to 16 bits a sample, or 16 or 32 of floating point";
    if (!find_chroma(format, chroma))
        return "has a chroma format without a name";
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

const char *fv_pixels_describe(FvLibavPixels *pixels, enum AVPixelFormat number)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(number);
    *pixels = (FvLibavPixels){0};
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
    pixels->floats = format->flags & AV_PIX_FMT_FLAG_FLOAT ? pixels->depth : 0;
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
        if (component->depth != pixels->depth ||
            (!pixels->floats && component->shift + component->depth > (bytes ? 8 : 16)))
            return "packs its samples in a way that fovea does not know";
        uint16_t mask = (uint16_t)((UINT64_C(1) << component->depth) - 1);
        bool swap = format->flags & AV_PIX_FMT_FLAG_BE ? FV_SWAP_BIG : FV_SWAP_LITTLE;
        pixels->component[i].plane = component->plane;
        pixels->component[i].offset = component->offset;
        pixels->component[i].words = (FvWords){component->step, swap, component->shift, mask};
        pixels->component[i].empty = shares_words(format, stored) ? 0 : (uint16_t) ~(mask << component->shift);
    }
    if (pixels->floats)
        pixels->depth = 16;
    pixels->uneven = pixels->chroma == FV_CHROMA_411 && format->comp[1].plane == format->comp[0].plane;
    if (pixels->uneven) { /* no step describes luma: libavutil's would pass the end of a row */
        pixels->component[0].offset = 0;
        pixels->component[0].words.step = 1;
    }
    return NULL;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

uint32_t fv_pixels_word(const FvLibavPixels *pixels, int plane, const uint8_t *from, int x)
{
    const FvWords words = pixels->component[plane].words;
    return fv_float_read_bits(pixels->floats, words,
                              from + pixels->component[plane].offset + (ptrdiff_t)x * words.step);
}

int fv_pixels_unpack(const FvLibavPixels *pixels, int plane, void *row, const uint8_t *from, int count)
{
    const FvWords words = pixels->component[plane].words;
    const uint16_t empty = pixels->component[plane].empty;
    const uint8_t *first = from + pixels->component[plane].offset;
    int x = count;
    if (pixels->floats)
        return fv_floats_unpack(pixels->floats, words, row, first, count);
    for (int i = 0; pixels->uneven && !plane && i < count; i++)
        ((uint8_t *)row)[i] = from[i / 4 * 6 + i % 4 * 3 / 2 + 1];
    if (pixels->uneven && !plane)
        return count;
    if (pixels->depth == 8)
        fv_samples_unpack8(row, first, words.step, count);
    else if (fv_samples_unpack16(row, first, words, count) & empty)
        for (x = 0; !(fv_pixels_word(pixels, plane, from, x) & empty);)
            x++;
    return x;
}

#include "image/rgb.h"

#include <stdlib.h>

/* By the code points of ITU-T H.273. */
static void choose_shares(const FvFormat *format, RgbRule *rule)
{
    rule->red = 0.299;
    rule->blue = 0.114;
    if (format->matrix == 4) {
        rule->red = 0.30;
        rule->blue = 0.11;
    } else if (format->matrix == 7) {
        rule->red = 0.212;
        rule->blue = 0.087;
    } else if (format->matrix == 9 || format->matrix == 10) {
        rule->red = 0.2627;
        rule->blue = 0.0593;
    } else if (format->matrix == 1 || (format->matrix != 5 && format->matrix != 6 && format->height > 576)) {
        rule->red = 0.2126;
        rule->blue = 0.0722;
    }
}

void rgb_rule(const FvFormat *format, RgbRule *rule)
{
    const bool full = format->range == FV_RANGE_FULL;
    const double unit = 1 << (format->depth - 8), most = (1 << format->depth) - 1;
    choose_shares(format, rule);
    rule->low = full ? 0 : 16 * unit;
    rule->luma = full ? most : 219 * unit;
    rule->middle = 128 * unit;
    rule->chroma = full ? most : 224 * unit;
}

static double sample_at(const FvFrame *frame, int plane, int x, int y)
{
    const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

static uint8_t byte_of(double value)
{
    return (uint8_t)(255 * (value > 0 ? value < 1 ? value : 1 : 0) + 0.5);
}

uint8_t *rgb_of_frame(const FvFrame *frame)
{
    const FvFormat *format = &frame->format;
    RgbRule m;
    bool gray = fv_format_planes(format) == 1;
    rgb_rule(format, &m);
    const bool whole = format->chroma == FV_CHROMA_444 || format->chroma == FV_CHROMA_RGB;
    const int across = whole ? 1 : 2, down = format->chroma == FV_CHROMA_420 ? 2 : 1;
    uint8_t *rgb = malloc(3 * (size_t)format->width * (size_t)format->height), *to = rgb;
    for (int y = 0; rgb && y < format->height; y++)
        for (int x = 0; x < format->width; x++, to += 3) {
            double light = (sample_at(frame, 0, x, y) - m.low) / m.luma, cb = 0, cr = 0;
            if (!gray) {
                cb = (sample_at(frame, 1, x / across, y / down) - m.middle) / m.chroma;
                cr = (sample_at(frame, 2, x / across, y / down) - m.middle) / m.chroma;
            }
            if (format->chroma == FV_CHROMA_RGB) {
                for (int i = 0; i < 3; i++)
                    to[i] = byte_of(sample_at(frame, i, x, y) / m.luma);
                continue;
            }
            double red = light + 2 * (1 - m.red) * cr, blue = light + 2 * (1 - m.blue) * cb;
            to[0] = byte_of(red);
            to[1] = byte_of((light - m.red * red - m.blue * blue) / (1 - m.red - m.blue));
            to[2] = byte_of(blue);
        }
    return rgb;
}

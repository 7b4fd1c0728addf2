#include "rgb.h"

#include <stdlib.h>

/* Shares of red and blue in luma, of code points of ITU-T H.273. */
typedef struct Matrix {
    double red, blue;
} Matrix;

static Matrix matrix_of(const FvFormat *format)
{
    switch (format->matrix) {
    case 4:
        return (Matrix){0.30, 0.11};
    case 5:
    case 6:
        return (Matrix){0.299, 0.114};
    case 7:
        return (Matrix){0.212, 0.087};
    case 9:
    case 10:
        return (Matrix){0.2627, 0.0593};
    default:
        return format->matrix == 1 || format->height > 576 ? (Matrix){0.2126, 0.0722} : (Matrix){0.299, 0.114};
    }
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
    Matrix m = matrix_of(format);
    bool full = format->range == FV_RANGE_FULL, gray = fv_format_planes(format) == 1;
    double unit = 1 << (format->depth - 8), most = (1 << format->depth) - 1, middle = 128 * unit;
    double low = full ? 0 : 16 * unit, luma = full ? most : 219 * unit, chroma = full ? most : 224 * unit;
    int across = format->chroma == FV_CHROMA_444 ? 1 : 2, down = format->chroma == FV_CHROMA_420 ? 2 : 1;
    uint8_t *rgb = malloc(3 * (size_t)format->width * (size_t)format->height), *to = rgb;
    for (int y = 0; rgb && y < format->height; y++)
        for (int x = 0; x < format->width; x++, to += 3) {
            double light = (sample_at(frame, 0, x, y) - low) / luma, cb = 0, cr = 0;
            if (!gray) {
                cb = (sample_at(frame, 1, x / across, y / down) - middle) / chroma;
                cr = (sample_at(frame, 2, x / across, y / down) - middle) / chroma;
            }
            double red = light + 2 * (1 - m.red) * cr, blue = light + 2 * (1 - m.blue) * cb;
            to[0] = byte_of(red);
            to[1] = byte_of((light - m.red * red - m.blue * blue) / (1 - m.red - m.blue));
            to[2] = byte_of(blue);
        }
    return rgb;
}

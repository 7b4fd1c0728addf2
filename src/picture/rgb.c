#include "picture/rgb.h"

#include <math.h>

#include "arith/scalar.h"
#include "arith/rgb.h"
#include "picture/colour.h"

bool fv_rgb_has_matrix(int matrix)
{
    return fv_colour_luma(matrix).red;
}

static fv_u32 get(const FvFrame *frame, int plane, int x, int y)
{
    const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

static void set(FvFrame *frame, int plane, int x, int y, fv_u32 value)
{
    uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    if (frame->format.depth == 8)
        row[x] = (uint8_t)value;
    else
        ((uint16_t *)row)[x] = (uint16_t)value;
}

void fv_rgb_convert(FvFrame *frame, int matrix)
{
    const FvLumaWeights weights = fv_colour_luma(matrix);
    const fv_u32 peak = (1u << frame->format.depth) - 1, unit = 1u << (frame->format.depth - 8);
    const fv_u32 red = (fv_u32)weights.red, blue = (fv_u32)weights.blue, green = FV_LUMA_WHOLE - red - blue;
    for (int y = 0; y < frame->format.height; y++)
        for (int x = 0; x < frame->format.width; x++) {
            const fv_u32 r = get(frame, 0, x, y), g = get(frame, 1, x, y), b = get(frame, 2, x, y);
            const fv_u64 light = fv_product(red, r) + fv_product(green, g) + fv_product(blue, b);
            set(frame, 0, x, y, fv_rgb_luma(light, FV_LUMA_WHOLE, unit, peak));
            set(frame, 1, x, y, fv_rgb_chroma(light, b, blue, FV_LUMA_WHOLE, unit, peak));
            set(frame, 2, x, y, fv_rgb_chroma(light, r, red, FV_LUMA_WHOLE, unit, peak));
        }
}

static uint16_t sample_of(int64_t sum)
{
    const int64_t value = (sum + (1 << 27)) >> 28;
    return (uint16_t)(value < 0 ? 0 : value > UINT16_MAX ? UINT16_MAX : value);
}

static int64_t factor_of(double share)
{
    return (int64_t)floor(share * (1 << 28) + 0.5);
}

void fv_rgb_restore(FvFrame *frame, int matrix, FvRange range, int middle)
{
    const FvLumaWeights weights = fv_colour_luma(fv_rgb_has_matrix(matrix) ? matrix : FV_H273_BT709);
    const bool full = range == FV_RANGE_FULL;
    const double red = (double)weights.red / FV_LUMA_WHOLE, blue = (double)weights.blue / FV_LUMA_WHOLE;
    const double luma = full ? 1 : 65535 / (219 * 256.), chroma = full ? 1 : 65535 / (224 * 256.);
    const int64_t of_luma = factor_of(luma), low = full ? 0 : 16 * 256;
    const int64_t red_of_cr = factor_of(2 * (1 - red) * chroma), blue_of_cb = factor_of(2 * (1 - blue) * chroma);
    const int64_t green_of_cb = factor_of(2 * (1 - blue) * blue / (1 - red - blue) * chroma);
    const int64_t green_of_cr = factor_of(2 * (1 - red) * red / (1 - red - blue) * chroma);
    for (int y = 0; y < frame->format.height; y++) {
        uint16_t *row[3];
        for (int plane = 0; plane < 3; plane++)
            row[plane] = (uint16_t *)(void *)(frame->data[plane] + y * frame->stride[plane]);
        for (int x = 0; x < frame->format.width; x++) {
            const int64_t light = of_luma * (row[0][x] - low), cb = row[1][x] - middle, cr = row[2][x] - middle;
            row[0][x] = sample_of(light + red_of_cr * cr);
            row[1][x] = sample_of(light - green_of_cb * cb - green_of_cr * cr);
            row[2][x] = sample_of(light + blue_of_cb * cb);
        }
    }
}

void fv_rgb_flatten(void *row, const void *alpha, int count, int depth, int under, bool associated)
{
    const fv_u32 peak = (1u << depth) - 1;
    for (int x = 0; x < count; x++) {
        const fv_u32 a = depth == 8 ? ((const uint8_t *)alpha)[x] : ((const uint16_t *)alpha)[x];
        const fv_u32 s = depth == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
        const fv_u32 sum = fv_rgb_blend(s, associated ? peak : a, (fv_u32)under, peak - a, peak);
        const fv_u32 mixed = sum < peak ? sum : peak;
        if (depth == 8)
            ((uint8_t *)row)[x] = (uint8_t)mixed;
        else
            ((uint16_t *)row)[x] = (uint16_t)mixed;
    }
}

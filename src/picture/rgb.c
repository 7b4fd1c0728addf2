#include "picture/rgb.h"

#include <math.h>

#include "picture/colour.h"

bool fv_rgb_has_matrix(int matrix)
{
    return fv_colour_luma(matrix).red;
}

/* Divides and rounds to nearest, half up; b is positive. */
static int64_t divide(int64_t a, int64_t b)
{
    const int64_t twice = 2 * a + b, unit = 2 * b;
    return twice / unit - (twice % unit < 0);
}

typedef struct Rule {
    FvLumaWeights weights;
    int depth;
    int64_t peak, unit; /* greatest sample; value of one 8-bit code */
} Rule;

static int luma(const Rule *rule, int64_t light)
{
    return (int)(16 * rule->unit + divide(219 * rule->unit * light, FV_LUMA_WHOLE * rule->peak));
}

/* Returns Cb or Cr, from blue or red. weight: weight of that component in luma. */
static int chroma(const Rule *rule, int64_t light, int component, int weight)
{
    const int64_t difference = (int64_t)FV_LUMA_WHOLE * component - light;
    return (int)(128 * rule->unit + divide(224 * rule->unit * difference, 2 * (FV_LUMA_WHOLE - weight) * rule->peak));
}

static int get(const FvFrame *frame, int plane, int x, int y)
{
    const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

static void set(FvFrame *frame, int plane, int x, int y, int value)
{
    uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    if (frame->format.depth == 8)
        row[x] = (uint8_t)value;
    else
        ((uint16_t *)row)[x] = (uint16_t)value;
}

void fv_rgb_convert(FvFrame *frame, int matrix)
{
    const int depth = frame->format.depth;
    const Rule rule = {fv_colour_luma(matrix), depth, (1 << depth) - 1, 1 << (depth - 8)};
    const int red = rule.weights.red, blue = rule.weights.blue, green = FV_LUMA_WHOLE - red - blue;
    for (int y = 0; y < frame->format.height; y++)
        for (int x = 0; x < frame->format.width; x++) {
            const int r = get(frame, 0, x, y), g = get(frame, 1, x, y), b = get(frame, 2, x, y);
            const int64_t light = (int64_t)red * r + (int64_t)green * g + (int64_t)blue * b;
            set(frame, 0, x, y, luma(&rule, light));
            set(frame, 1, x, y, chroma(&rule, light, b, blue));
            set(frame, 2, x, y, chroma(&rule, light, r, red));
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
    const int64_t peak = (1 << depth) - 1;
    for (int x = 0; x < count; x++) {
        const int64_t a = depth == 8 ? ((const uint8_t *)alpha)[x] : ((const uint16_t *)alpha)[x];
        const int64_t s = depth == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
        const int64_t sum = (2 * ((associated ? peak : a) * s + (peak - a) * under) + peak) / (2 * peak);
        const int64_t mixed = sum < peak ? sum : peak;
        if (depth == 8)
            ((uint8_t *)row)[x] = (uint8_t)mixed;
        else
            ((uint16_t *)row)[x] = (uint16_t)mixed;
    }
}

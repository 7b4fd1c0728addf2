#include "picture/rgb.h"

#include "picture/colour.h"

bool fv_rgb_has_matrix(int matrix)
{
    return fv_colour_luma(matrix).red;
}

/* To the nearest, half up; b is positive. */
static int64_t divide(int64_t a, int64_t b)
{
    const int64_t twice = 2 * a + b, unit = 2 * b;
    return twice / unit - (twice % unit < 0);
}

typedef struct Rule {
    FvLumaWeights weights;
    int depth;
    int64_t peak, unit; /* the greatest sample; one 8-bit code */
} Rule;

static int luma(const Rule *rule, int64_t light)
{
    return (int)(16 * rule->unit + divide(219 * rule->unit * light, FV_LUMA_WHOLE * rule->peak));
}

/* `weight` is the weight of the component in luma. */
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

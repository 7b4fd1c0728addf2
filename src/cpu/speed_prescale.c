#include "cpu/speed_prescale.h"

#include "arith/scalar.h"

#include "arith/dmath.h"
#include "arith/speed_prescale.h"
#include "cpu/border.h"
#include "os/memory.h"

static float lanczos(float x)
{
    if (x == 0)
        return 1;
    if (!(x > -4 && x < 4))
        return 0;
    const double pi = 3.14159265358979323846, wide = x;
    return (float)(4 * fv_d_sin_pi(wide) * fv_d_sin_pi(wide / 4) / (pi * pi * wide * wide));
}

static bool open_axis(FvSpeedPrescaleAxis *axis, FvSpeedPrescaleMethod method, int taps, int from, int to)
{
    axis->index = fv_alloc(sizeof(int) * (size_t)taps * to);
    axis->weight = fv_alloc(sizeof(float) * (size_t)taps * to);
    if (!axis->index || !axis->weight)
        return false;
    float ratio = (float)from / (float)to;
    for (int i = 0; i < to; i++) {
        int *index = axis->index + i * taps;
        float *weight = axis->weight + i * taps;
        if (method == FV_SPEED_PRESCALE_NEAREST) {
            index[0] = (int)((float)i * ratio);
            weight[0] = 1;
            continue;
        }
        float place = (float)((i + 0.5) * ratio - 0.5);
        int whole = (int)floorf(place);
        if (method == FV_SPEED_PRESCALE_BILINEAR) {
            /* The fraction is relative to the mirrored sample, so it may be negative at the first sample. */
            index[0] = fv_mirror(whole, from);
            index[1] = fv_mirror((int)ceilf(place), from);
            float fraction = place - (float)index[0];
            weight[0] = 1 - fraction;
            weight[1] = fraction;
            continue;
        }
        float fraction = place - (float)whole;
        int first = method == FV_SPEED_PRESCALE_BICUBIC ? -1 : -4;
        for (int tap = 0; tap < taps; tap++) {
            float distance = (float)(first + tap) - fraction;
            index[tap] = fv_mirror(whole + first + tap, from);
            weight[tap] = method == FV_SPEED_PRESCALE_BICUBIC ? fv_speed_prescale_cubic(distance) : lanczos(distance);
        }
    }
    return true;
}

bool fv_speed_prescale_open(FvSpeedPrescale *resize, FvSpeedPrescaleMethod method, int from_width, int from_height,
                            int width, int height)
{
    static const int taps[] = {1, 2, 4, FV_SPEED_PRESCALE_TAPS};
    *resize = (FvSpeedPrescale){
        .taps = taps[method], .width = width, .height = height, .divide = method == FV_SPEED_PRESCALE_LANCZOS4};
    return open_axis(&resize->across, method, resize->taps, from_width, width) &&
           open_axis(&resize->down, method, resize->taps, from_height, height);
}

void fv_speed_prescale_close(FvSpeedPrescale *resize)
{
    fv_free(resize->across.index);
    fv_free(resize->across.weight);
    fv_free(resize->down.index);
    fv_free(resize->down.weight);
    *resize = (FvSpeedPrescale){0};
}

static float difference(const FvDifference *from, const uint8_t *plus, const uint8_t *minus, int x)
{
    int32_t minuend = from->bytes == 1 ? plus[x] : ((const uint16_t *)plus)[x];
    int32_t subtrahend = !minus ? from->level : from->bytes == 1 ? minus[x] : ((const uint16_t *)minus)[x];
    return (float)(minuend - subtrahend) * from->scale;
}

void fv_difference_row(const FvDifference *from, int width, int y, float *row)
{
    const uint8_t *minus = from->minus ? from->minus + y * from->minus_stride : NULL;
    for (int x = 0; x < width; x++)
        row[x] = difference(from, from->plus + y * from->plus_stride, minus, x);
}

void fv_speed_prescale_row(const FvSpeedPrescale *resize, const FvDifference *from, int y, float *row)
{
    int taps = resize->taps;
    const int *down = resize->down.index + y * taps;
    for (int x = 0; x < resize->width; x++) {
        const int *across = resize->across.index + x * taps;
        float sum = 0, total = 0;
        for (int j = 0; j < taps; j++) {
            const uint8_t *plus = from->plus + down[j] * from->plus_stride;
            const uint8_t *minus = from->minus ? from->minus + down[j] * from->minus_stride : NULL;
            for (int i = 0; i < taps; i++) {
                float weight =
                    fv_speed_prescale_weight(resize->across.weight[x * taps + i], resize->down.weight[y * taps + j]);
                sum = fv_speed_prescale_term(sum, difference(from, plus, minus, across[i]), weight);
                total += weight;
            }
        }
        row[x] = resize->divide ? sum / total : sum;
    }
}

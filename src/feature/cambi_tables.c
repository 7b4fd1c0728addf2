/* CAMBI: the display model, the table of reciprocals, and the sampling positions. docs/metrics/cambi.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/exact.h"
#include "arith/transfer.h"
#include "base/error.h"
#include "feature/cambi_picture.h"

/* Codes of black and white in 10-bit limited range, whatever the range of the video. */
enum { FOOT = 64, HEAD = 940 };

/*
 * A display. Powers are exact, because a threshold may equal the luminance of a code, and an error of one bit would
 * move it by a code.
 */
typedef struct Display {
    bool pq;
    FvBt1886 bt1886;
} Display;

/* Returns the luminance of a code, in cd/m2. */
static double luminance(const Display *display, int code)
{
    const int clamped = code < FOOT ? FOOT : code > HEAD ? HEAD : code;
    const double v = (double)(clamped - FOOT) / (HEAD - FOOT);
    return display->pq ? 10000 * fv_pq(fv_pow_exact, v) : fv_bt1886_light(display->bt1886, v);
}

static bool visible(const Display *display, double threshold, int code, int difference)
{
    double here = luminance(display, code);
    return luminance(display, code + difference) - here > threshold * here;
}

/*
 * Returns the brightest code at which the difference is visible. Visibility is not monotonic for PQ, so the bisection
 * defines the result.
 */
static int brightest_visible(const Display *display, double threshold, int difference)
{
    if (!visible(display, threshold, FOOT, difference))
        return 0;
    if (!visible(display, threshold, FOOT + 1, difference))
        return FOOT;
    int low = FOOT, high = HEAD - 1 - difference;
    if (visible(display, threshold, high, difference))
        return visible(display, threshold, high + 1, difference) ? 1023 : high;
    for (;;) {
        int middle = low + (high - low) / 2;
        if (!visible(display, threshold, middle, difference))
            high = middle;
        else if (visible(display, threshold, middle + 1, difference))
            low = middle;
        else
            return middle;
    }
}

static int first_bright(const Display *display, double threshold)
{
    if (threshold <= luminance(display, FOOT))
        return 0;
    int code = FOOT;
    while (code < HEAD && luminance(display, code) < threshold)
        code++;
    return code;
}

void fv_cambi_tables(FvCambiTables *tables, const FvCambiOptions *options)
{
    const char *name = strcmp(options->cambi_eotf, "bt1886") ? options->cambi_eotf : options->eotf;
    const Display display = {!strcmp(name, "pq"), fv_bt1886(fv_pow_exact, 300, 0.01)};
    tables->contrasts = 1 << options->max_log_contrast;
    tables->dark = first_bright(&display, options->vis_lum_threshold);
    for (int d = 1; d <= tables->contrasts; d++)
        tables->tvi[d - 1] = brightest_visible(&display, options->tvi_threshold, d);
    tables->low = FV_CAMBI_LEVELS;
    tables->high = -1;
    for (int v = 0; v < FV_CAMBI_LEVELS; v++) {
        tables->visible[v] = 0;
        for (int d = 1; d <= tables->contrasts; d++)
            if (v <= tables->tvi[d - 1] && v + tables->contrasts + d > tables->dark) {
                tables->visible[v] |= 1u << (d - 1);
                tables->low = v - d < tables->low ? v - d : tables->low;
                tables->high = v + d > tables->high ? v + d : tables->high;
            }
    }
    tables->low = tables->low < 0 ? 0 : tables->low;
    tables->high = tables->high < tables->low ? tables->low : tables->high;
    tables->high =
        tables->high >= FV_CAMBI_LEVELS && tables->low < FV_CAMBI_LEVELS ? FV_CAMBI_LEVELS - 1 : tables->high;
}

/* Returns the float nearest to digits / 10^exponent, by integers; digits < 10^9, exponent <= 14. */
static float decimal(uint64_t digits, int exponent)
{
    uint64_t divisor = 1; /* 5^exponent; the power of two becomes part of the result's exponent */
    for (int i = 0; i < exponent; i++)
        divisor *= 5;
    int shift = 0;
    while ((digits << shift) / divisor < 1u << 24)
        shift++;
    uint64_t quotient = (digits << shift) / divisor; /* 25 bits; the last one decides the rounding */
    bool rest = (digits << shift) % divisor;
    uint64_t rounded = (quotient >> 1) + ((quotient & 1) && (rest || (quotient & 2)));
    return (float)ldexp((double)rounded, 1 - shift - exponent);
}

void fv_cambi_reciprocals(float *reciprocal, int count)
{
    reciprocal[0] = 0;
    int exponent = 8;                     /* 10^exponent / n is in [10^8, 10^9] */
    uint64_t power = 100000000, next = 1; /* 10^exponent, and the first n that needs one digit less */
    for (int n = 1; n < count; n++) {
        if ((uint64_t)n > next) {
            exponent++;
            power *= 10;
            next *= 10;
        }
        reciprocal[n] = decimal((2 * power + (uint64_t)n) / (2 * (uint64_t)n), exponent);
    }
}

/* Computes positions by repeated addition in binary32, as libvmaf does, so rounding errors accumulate on purpose. */
static int *positions(int from, int to)
{
    int *position = malloc((size_t)to * sizeof *position);
    if (!position)
        return NULL;
    float step = (float)from / (float)to;
    float x = (float)((double)(step / 2) - 0.5);
    for (int i = 0; i < to; i++, x += step) {
        int index = (int)((double)x + 0.5);
        position[i] = index < from ? index : from - 1;
    }
    return position;
}

FvStatus fv_cambi_resample(FvCambiPicture *picture, FvError *error)
{
    if (picture->width == picture->source_width && picture->height == picture->source_height)
        return FV_OK;
    picture->column = positions(picture->source_width, picture->width);
    picture->row = positions(picture->source_height, picture->height);
    if (!picture->column || !picture->row)
        return fv_fail_memory(error, (size_t)(picture->width + picture->height) * sizeof(int));
    return FV_OK;
}

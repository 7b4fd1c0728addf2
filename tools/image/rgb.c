#include "image/rgb.h"

#include <math.h>
#include <stdlib.h>

#include "curves.h"

#define PQ 16 /* code points of ITU-T H.273 */
#define HLG 18
#define BT2020 9
#define WHITE 203.0 /* luminance of the screen's white in cd/m2: ITU-R BT.2408 */
#define PEAK 1000.0 /* assumed peak luminance of the video in cd/m2 */
#define TONES 4096  /* number of entries of each table */

/* Chooses the shares of red and blue in luma by the code points of ITU-T H.273. */
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

/* ---- Tone mapping of HDR --------------------------------------------------------------------------------------- */

/* Returns the light, in cd/m2, of a PQ code in [0, 1] (SMPTE ST 2084). */

static double light_of_pq(double code)
{
    const double power = pow(code, 1 / FV_PQ_M2);
    return 10000 * pow(fmax(0, power - FV_PQ_C1) / (FV_PQ_C2 - FV_PQ_C3 * power), 1 / FV_PQ_M1);
}

static double pq_of_light(double light)
{
    const double power = pow(light / 10000, FV_PQ_M1);
    return pow((FV_PQ_C1 + FV_PQ_C2 * power) / (1 + FV_PQ_C3 * power), FV_PQ_M2);
}

/* Returns the scene light, in [0, 1], of an HLG code (ITU-R BT.2100). */
static double scene_of_hlg(double code)
{
    return code <= 0.5 ? code * code / 3 : (exp((code - FV_HLG_C) / FV_HLG_A) + FV_HLG_B) / 12;
}

/* Applies the tone curve of ITU-R BT.2390, 5.4.1, to the largest component of a pixel. */
static double toned(double light)
{
    const double top = pq_of_light(PEAK), most = pq_of_light(WHITE) / top, knee = 1.5 * most - 0.5;
    const double code = fmin(1, pq_of_light(light) / top);
    if (code < knee)
        return fmin(light, WHITE);
    const double t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    return light_of_pq(top *
                       ((2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most));
}

/*
 * Tables indexed by code (`light`) and by the root of light (`factor`, `byte`), whose steps are fine enough for the
 * eye.
 */
typedef struct Tones {
    double light[TONES], factor[TONES];
    uint8_t byte[TONES];
} Tones;

static int step_of(double part)
{
    return (int)(fmin(fmax(part, 0), 1) * (TONES - 1) + 0.5);
}

static Tones *make_tones(const FvFormat *format)
{
    Tones *tones = format->transfer == PQ || format->transfer == HLG ? malloc(sizeof *tones) : NULL;
    for (int i = 0; tones && i < TONES; i++) {
        const double part = (double)i / (TONES - 1), square = part * part, light = 10000 * square;
        tones->light[i] = format->transfer == PQ ? light_of_pq(part) : scene_of_hlg(part);
        tones->factor[i] = i ? toned(light) / light / WHITE : 1 / WHITE;
        tones->byte[i] = byte_of(square <= 0.0031308 ? 12.92 * square : 1.055 * pow(square, 1 / 2.4) - 0.055);
    }
    return tones;
}

/* Converts HDR R'G'B' in [0, 1] to bytes of sRGB. */
static void tone(const Tones *tones, const FvFormat *format, double red, double green, double blue, uint8_t to[3])
{
    static const double wide[3][3] = {
        {1.6605, -0.5876, -0.0728}, {-0.1246, 1.1329, -0.0083}, {-0.0182, -0.1006, 1.1187}};
    static const double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double(*matrix)[3] = format->primaries == BT2020 ? wide : same;
    double v[3] = {tones->light[step_of(red)], tones->light[step_of(green)], tones->light[step_of(blue)]};
    if (format->transfer == HLG) {
        const double gain = PEAK * pow(0.2627 * v[0] + 0.678 * v[1] + 0.0593 * v[2], 0.2);
        for (int i = 0; i < 3; i++)
            v[i] *= gain;
    }
    const double factor = tones->factor[step_of(sqrt(fmax(v[0], fmax(v[1], v[2])) / 10000))];
    for (int i = 0; i < 3; i++) {
        const double light = factor * (matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2]);
        to[i] = tones->byte[step_of(sqrt(fmax(light, 0)))];
    }
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

uint8_t *rgb_of_frame(const FvFrame *frame)
{
    const FvFormat *format = &frame->format;
    RgbRule m;
    bool gray = fv_format_planes(format) == 1;
    rgb_rule(format, &m);
    int width, height;
    fv_format_plane_size(format, 1, &width, &height);
    const int across = gray ? 1 : (format->width + width - 1) / width;
    const int down = gray ? 1 : (format->height + height - 1) / height;
    uint8_t *rgb = malloc(3 * (size_t)format->width * (size_t)format->height), *to = rgb;
    Tones *tones = make_tones(format);
    for (int y = 0; rgb && y < format->height; y++)
        for (int x = 0; x < format->width; x++, to += 3) {
            double light = (sample_at(frame, 0, x, y) - m.low) / m.luma, cb = 0, cr = 0;
            if (!gray) {
                cb = (sample_at(frame, 1, x / across, y / down) - m.middle) / m.chroma;
                cr = (sample_at(frame, 2, x / across, y / down) - m.middle) / m.chroma;
            }
            double red = light + 2 * (1 - m.red) * cr, blue = light + 2 * (1 - m.blue) * cb;
            double green = (light - m.red * red - m.blue * blue) / (1 - m.red - m.blue);
            if (format->chroma == FV_CHROMA_RGB) {
                red = sample_at(frame, 0, x, y) / m.luma;
                green = sample_at(frame, 1, x, y) / m.luma;
                blue = sample_at(frame, 2, x, y) / m.luma;
            }
            if (tones) {
                tone(tones, format, red, green, blue, to);
                continue;
            }
            to[0] = byte_of(red);
            to[1] = byte_of(green);
            to[2] = byte_of(blue);
        }
    free(tones);
    return rgb;
}

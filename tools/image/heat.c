#include "image/heat.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAY 128 /* gray of the legend */
#define INSET 8  /* samples to the left and right of the legend's bar */
#define BAR_TOP 4
#define BAR_ROWS 10
#define TEXT_TOP 18
#define GLYPH_WIDTH 3
#define GLYPH_HEIGHT 5
#define GLYPH_SCALE 2
#define GLYPH_STEP ((GLYPH_WIDTH + 1) * GLYPH_SCALE)

/* The letters of the legend: rows of three samples, the first row in the highest bits. */
static const struct {
    char letter;
    uint16_t bits;
} glyphs[] = {
    {'0', 075557}, {'1', 026227}, {'2', 071747}, {'3', 071717}, {'4', 055711}, {'5', 074717}, {'6', 074757},
    {'7', 071111}, {'8', 075757}, {'9', 075717}, {'.', 000002}, {'-', 000700}, {'+', 002720}, {'e', 007747},
    {'/', 011244}, {'A', 025755}, {'B', 065656}, {'C', 034443}, {'D', 065556}, {'E', 074647}, {'F', 074644},
    {'G', 034553}, {'H', 055755}, {'I', 072227}, {'J', 011157}, {'K', 055655}, {'L', 044447}, {'M', 057755},
    {'N', 065555}, {'O', 025552}, {'P', 065644}, {'Q', 025573}, {'R', 065655}, {'S', 034216}, {'T', 072222},
    {'U', 055557}, {'V', 055552}, {'W', 055775}, {'X', 055255}, {'Y', 055222}, {'Z', 071247},
};

/* ---- Colours ------------------------------------------------------------------------------------------------ */

/*
 * Colours from blue over purple and orange to yellow, in equal steps of CIE L*a*b* (ISO/CIE 11664-4). Lightness and
 * the blue-yellow axis rise throughout, so people who cannot see red or green see the same order.
 */
#define FIRST_LIGHTNESS 38.
#define LAST_LIGHTNESS 90.
#define CHROMA 45.
#define FIRST_HUE (290 * M_PI / 180)
#define LAST_HUE (460 * M_PI / 180)

static double linear_of_lab(double f)
{
    return f > 6 / 29. ? f * f * f : 3 * (6 / 29.) * (6 / 29.) * (f - 4 / 29.);
}

static uint8_t srgb_of(double linear)
{
    double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (uint8_t)(255 * (v > 0 ? v < 1 ? v : 1 : 0) + 0.5);
}

void heat_scale(uint8_t scale[HEAT_COLOURS][3])
{
    for (int i = 0; i < HEAT_COLOURS; i++) {
        double at = i / (HEAT_COLOURS - 1.), hue = FIRST_HUE + at * (LAST_HUE - FIRST_HUE);
        double fy = (FIRST_LIGHTNESS + at * (LAST_LIGHTNESS - FIRST_LIGHTNESS) + 16) / 116;
        double x = 0.95047 * linear_of_lab(fy + CHROMA * cos(hue) / 500), y = linear_of_lab(fy);
        double z = 1.08883 * linear_of_lab(fy - CHROMA * sin(hue) / 200);
        scale[i][0] = srgb_of(3.2404542 * x - 1.5371385 * y - 0.4985314 * z);
        scale[i][1] = srgb_of(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z);
        scale[i][2] = srgb_of(0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
    }
}

/* Blends the colour of a value over the gray picture. The greater the value, the more opaque the colour. */
static void tint(const Heat *heat, uint8_t *pixel, int gray, double share)
{
    const uint8_t *colour = heat->scale[(int)(share * (HEAT_COLOURS - 1) + 0.5)];
    double part = 0.85 * (share < 0.6 ? share / 0.6 : 1);
    for (int i = 0; i < 3; i++)
        pixel[i] = (uint8_t)(gray + part * (colour[i] - gray) + 0.5);
}

/* ---- The picture -------------------------------------------------------------------------------------------- */

FvStatus heat_open(Heat *heat, const FvFormat *format)
{
    size_t width = (size_t)format->width, height = (size_t)format->height;
    *heat = (Heat){.width = format->width, .height = format->height};
    heat->share = malloc(width * height * sizeof *heat->share);
    heat->rgb = malloc(3 * width * (height + HEAT_LEGEND));
    heat_scale(heat->scale);
    if (heat->share && heat->rgb)
        return FV_OK;
    heat_close(heat);
    return FV_ERROR_MEMORY;
}

void heat_close(Heat *heat)
{
    free(heat->share);
    free(heat->rgb);
    *heat = (Heat){0};
}

bool heat_range(const FvMap *map, double given, double *low, double *high)
{
    *high = isnan(given) ? map->maximum : given;
    if (isnan(given) && isinf(*high) && map->info->shown > 0)
        *high = map->info->shown;
    *low = map->minimum == -INFINITY ? -*high : map->minimum;
    return isfinite(*high) && *high >= *low;
}

void heat_clear(Heat *heat)
{
    memset(heat->share, 0, (size_t)heat->width * (size_t)heat->height * sizeof *heat->share);
}

void heat_add(Heat *heat, const FvMap *map, double low, double high)
{
    bool sign = low < 0;
    double from_low = sign ? 0 : low, scale = high > from_low ? 1 / (high - from_low) : 0;
    for (int y = 0; y < heat->height; y++) {
        const float *from = map->data + (int64_t)y * map->height / heat->height * map->stride;
        float *share = heat->share + (size_t)y * (size_t)heat->width;
        for (int x = 0; x < heat->width; x++) {
            double value = from[(int64_t)x * map->width / heat->width];
            value = ((sign ? fabs(value) : value) - from_low) * scale;
            if (value > share[x])
                share[x] = value < 1 ? (float)value : 1;
        }
    }
}

static int luma_8bit(const FvFrame *frame, int x, int y)
{
    /* Green stands for luma, of which it is the largest part. */
    const int plane = frame->format.chroma == FV_CHROMA_RGB ? 1 : 0;
    const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x] >> (frame->format.depth - 8);
}

static void draw_glyph(Heat *heat, int left, int top, char letter)
{
    uint16_t bits = 0;
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].letter == letter)
            bits = glyphs[i].bits;
    for (int y = 0; y < GLYPH_HEIGHT * GLYPH_SCALE; y++)
        for (int x = 0; x < GLYPH_WIDTH * GLYPH_SCALE; x++) {
            int bit = 14 - y / GLYPH_SCALE * GLYPH_WIDTH - x / GLYPH_SCALE;
            if ((bits >> bit & 1) && left + x >= 0 && left + x < heat->width)
                memset(heat->rgb + 3 * ((size_t)(top + y) * (size_t)heat->width + (size_t)(left + x)), 255, 3);
        }
}

/* Draws a number with its centre at `at`, a fraction of the bar's width, but within the picture. */
static void draw_number(Heat *heat, double value, const char *unit, double at)
{
    char text[48];
    int used = snprintf(text, sizeof text, "%.3g%s%.16s", value, *unit ? " " : "", unit);
    for (int i = used - (int)strlen(unit); i >= 0 && text[i]; i++)
        text[i] = (char)toupper((unsigned char)text[i]);
    int width = (int)strlen(text) * GLYPH_STEP, left = (int)(INSET + at * (heat->width - 2 * INSET)) - width / 2;
    left = left + width > heat->width - INSET ? heat->width - INSET - width : left;
    left = left < INSET ? INSET : left;
    for (int i = 0; text[i]; i++)
        draw_glyph(heat, left + i * GLYPH_STEP, heat->height + TEXT_TOP, text[i]);
}

static void draw_legend(Heat *heat, double low, double high, const char *unit)
{
    int bar = heat->width - 2 * INSET;
    memset(heat->rgb + 3 * (size_t)heat->width * (size_t)heat->height, 0, 3 * (size_t)heat->width * HEAT_LEGEND);
    for (int y = heat->height + BAR_TOP; y < heat->height + BAR_TOP + BAR_ROWS; y++)
        for (int x = 0; x < bar; x++)
            tint(heat, heat->rgb + 3 * ((size_t)y * (size_t)heat->width + (size_t)(x + INSET)), GRAY,
                 bar > 1 ? (double)x / (bar - 1) : 0);
    low = low < 0 ? 0 : low;
    draw_number(heat, low, "", 0);
    for (int quarter = 1; quarter < 4 && heat->width > 200; quarter++)
        if (quarter == 2 || heat->width > 400)
            draw_number(heat, low + (high - low) * quarter / 4, "", quarter / 4.);
    if (heat->width > 100)
        draw_number(heat, high, heat->width > 200 ? unit : "", 1);
}

void heat_draw(Heat *heat, const FvFrame *frame, double low, double high, const char *unit)
{
    for (int y = 0; y < heat->height; y++)
        for (int x = 0; x < heat->width; x++) {
            size_t at = (size_t)y * (size_t)heat->width + (size_t)x;
            tint(heat, heat->rgb + 3 * at, luma_8bit(frame, x, y), heat->share[at]);
        }
    draw_legend(heat, low, high, unit ? unit : "");
}

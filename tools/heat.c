#include "heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAY 128 /* of the legend */
#define INSET 8  /* samples left and right of its bar */
#define BAR_TOP 4
#define BAR_ROWS 10
#define TEXT_TOP 18
#define GLYPH_WIDTH 3
#define GLYPH_HEIGHT 5
#define GLYPH_SCALE 2
#define GLYPH_STEP ((GLYPH_WIDTH + 1) * GLYPH_SCALE)

/* Rows of three samples, the first one in the highest bits. */
static const struct {
    char letter;
    uint16_t bits;
} glyphs[] = {
    {'0', 075557}, {'1', 026227}, {'2', 071747}, {'3', 071717}, {'4', 055711}, {'5', 074717}, {'6', 074757},
    {'7', 071111}, {'8', 075757}, {'9', 075717}, {'.', 000002}, {'-', 000700}, {'+', 002720}, {'e', 007747},
};

FvStatus heat_open(Heat *heat, const FvFormat *format)
{
    size_t width = (size_t)format->width, height = (size_t)format->height;
    *heat = (Heat){.width = format->width, .height = format->height};
    heat->share = malloc(width * height * sizeof *heat->share);
    heat->rgb = malloc(3 * width * (height + HEAT_LEGEND));
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

void heat_clear(Heat *heat)
{
    memset(heat->share, 0, (size_t)heat->width * (size_t)heat->height * sizeof *heat->share);
}

void heat_add(Heat *heat, const FvMap *map, double low, double high)
{
    double scale = high > low ? 1 / (high - low) : 0;
    for (int y = 0; y < heat->height; y++) {
        const float *from = map->data + (int64_t)y * map->height / heat->height * map->stride;
        float *share = heat->share + (size_t)y * (size_t)heat->width;
        for (int x = 0; x < heat->width; x++) {
            double value = (from[(int64_t)x * map->width / heat->width] - low) * scale;
            if (value > share[x])
                share[x] = value < 1 ? (float)value : 1;
        }
    }
}

/* The square root lets faint values be seen. */
static void tint(uint8_t *pixel, int gray, double share)
{
    double red = sqrt(share);
    pixel[0] = (uint8_t)(gray + (255 - gray) * red);
    pixel[1] = pixel[2] = (uint8_t)(gray * (1 - red));
}

static int luma_8bit(const FvFrame *frame, int x, int y)
{
    const uint8_t *row = frame->data[0] + y * frame->stride[0];
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

/* With its middle, as a part of the width of the bar, at `at`; kept inside the picture. */
static void draw_number(Heat *heat, double value, double at)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    int width = (int)strlen(text) * GLYPH_STEP, left = (int)(INSET + at * (heat->width - 2 * INSET)) - width / 2;
    left = left + width > heat->width - INSET ? heat->width - INSET - width : left;
    left = left < INSET ? INSET : left;
    for (int i = 0; text[i]; i++)
        draw_glyph(heat, left + i * GLYPH_STEP, heat->height + TEXT_TOP, text[i]);
}

static void draw_legend(Heat *heat, double low, double high)
{
    int bar = heat->width - 2 * INSET;
    memset(heat->rgb + 3 * (size_t)heat->width * (size_t)heat->height, 0, 3 * (size_t)heat->width * HEAT_LEGEND);
    for (int y = heat->height + BAR_TOP; y < heat->height + BAR_TOP + BAR_ROWS; y++)
        for (int x = 0; x < bar; x++)
            tint(heat->rgb + 3 * ((size_t)y * (size_t)heat->width + (size_t)(x + INSET)), GRAY,
                 bar > 1 ? (double)x / (bar - 1) : 0);
    draw_number(heat, low, 0);
    if (heat->width > 200)
        draw_number(heat, low + (high - low) / 2, 0.5);
    if (heat->width > 100)
        draw_number(heat, high, 1);
}

void heat_draw(Heat *heat, const FvFrame *frame, double low, double high)
{
    for (int y = 0; y < heat->height; y++)
        for (int x = 0; x < heat->width; x++) {
            size_t at = (size_t)y * (size_t)heat->width + (size_t)x;
            tint(heat->rgb + 3 * at, luma_8bit(frame, x, y), heat->share[at]);
        }
    draw_legend(heat, low, high);
}

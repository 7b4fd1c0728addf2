#include "doubt/look.h"

#include <string.h>

#include "base/divide.h"
#include "base/error.h"
#include "os/memory.h"
#include "picture/frame.h"

#define LEAST_WIDTH 64 /* minimum width of a picture in luma samples */
#define LEAST_HEIGHT 36
#define BLACK_LUMA 4096 /* black in limited range, 16 bits */

bool fv_look_fits(const FvFormat *reference, const FvFormat *distorted)
{
    const FvFormat *format[2] = {reference, distorted};
    bool fits = true;
    for (int side = 0; side < 2; side++) {
        fits &= format[side]->width >= LEAST_WIDTH && format[side]->height >= LEAST_HEIGHT;
        for (int plane = 1; plane < fv_format_planes(format[side]); plane++) {
            int width, height;
            fv_format_plane_size(format[side], plane, &width, &height);
            fits &= width >= FV_SIGNATURE_COLUMNS && height >= FV_SIGNATURE_ROWS;
        }
    }
    return fits;
}

static FvLuma plane_of(const FvFrame *frame, int plane)
{
    FvLuma luma = fv_luma_of(frame);
    fv_format_plane_size(&frame->format, plane, &luma.width, &luma.height);
    luma.data = frame->data[plane];
    luma.stride = frame->stride[plane];
    return luma;
}

/* ---- Colour ---------------------------------------------------------------------------------------------------- */

void fv_look_rgb(int32_t sig[3][FV_SIGNATURE], int depth)
{
    const int64_t white = (1 << 16) - (1 << (16 - depth)); /* greatest sample, scaled to 16 bits */
    for (int c = 0; c < FV_SIGNATURE; c++) {
        const int64_t r = sig[0][c], g = sig[1][c], b = sig[2][c];
        const int64_t y = 2126 * r + 7152 * g + 722 * b;
        sig[0][c] = (int32_t)(4096 + fv_floor_div(56064 * y + 5000 * white, 10000 * white));
        sig[1][c] = (int32_t)(32768 + fv_floor_div(28672 * (10000 * b - y) + 4639 * white, 9278 * white));
        sig[2][c] = (int32_t)(32768 + fv_floor_div(28672 * (10000 * r - y) + 3937 * white, 7874 * white));
    }
}

/* Computes the variables of one side. Chroma is left out unless both frames have it. */
static void sign(int32_t v[3][FV_SIGNATURE], const FvFrame *frame, const int32_t *signature, bool coloured)
{
    for (int plane = 0; plane < (coloured || frame->format.chroma == FV_CHROMA_RGB ? 3 : 1); plane++) {
        const FvLuma luma = plane_of(frame, plane);
        if (signature && !plane)
            memcpy(v[0], signature, sizeof v[0]);
        else
            fv_sample_make(v[plane], &luma);
    }
    if (frame->format.chroma == FV_CHROMA_RGB)
        fv_look_rgb(v, frame->format.depth);
    for (int plane = 0; plane < 3; plane++)
        for (int c = 0; c < FV_SIGNATURE; c++)
            v[plane][c] = plane && !coloured ? 0 : v[plane][c] - (plane ? 32768 : BLACK_LUMA);
}

/* Adds up the products of two variables of all blocks, and the lumas of each bin. */
static void add_blocks(FvLook *look, const int32_t v[FV_LOOK_VECTOR][FV_SIGNATURE])
{
    int64_t *moment = look->moments;
    for (int i = 0; i < FV_LOOK_VECTOR; i++)
        for (int j = i; j < FV_LOOK_VECTOR; j++, moment++)
            for (int c = 0; c < FV_SIGNATURE; c++)
                *moment += (int64_t)v[i][c] * v[j][c];
    for (int c = 0; c < FV_SIGNATURE; c++) {
        const int64_t r = v[1][c], d = v[4][c];
        const int64_t add[FV_BIN_SUMS] = {1, r, d, r * r, r * d, d * d};
        for (int i = 0; i < FV_BIN_SUMS; i++)
            look->bins[(v[1][c] + BLACK_LUMA) >> 11][i] += add[i];
    }
}

/* ---- Lines ----------------------------------------------------------------------------------------------------- */

#define STRIPS 8  /* number of strips along a line */
#define STRIP 16  /* number of samples averaged in a strip */
#define NARROW 12 /* maximum depth of samples that a strip adds up in 16 bits */
#define EDGE 8    /* number of lines at either end that are not compared, so that shifted lines exist */
#define CODE 256  /* an 8-bit code in a profile */
#define BLACK (24 * CODE)
#define BRIGHT (48 * CODE)

typedef uint16_t Line[STRIPS];

/* Returns the first sample of strip s in a line of `across` samples. */
static int strip_first(int s, int across)
{
    return (2 * s + 1) * across / (2 * STRIPS) - STRIP / 2;
}

/* Adds up 16 bytes, in words of 64 bits. */
static inline uint32_t sum_bytes(const uint8_t *row)
{
    uint64_t word[2];
    memcpy(word, row, sizeof word);
    const uint64_t first = (word[0] & 0x00ff00ff00ff00ff) + (word[0] >> 8 & 0x00ff00ff00ff00ff);
    const uint64_t second = (word[1] & 0x00ff00ff00ff00ff) + (word[1] >> 8 & 0x00ff00ff00ff00ff);
    return (uint32_t)((first + second) * 0x0001000100010001 >> 48);
}

/* Adds up 16 words of at most NARROW bits. */
static inline uint32_t sum_narrow(const uint8_t *row)
{
    uint64_t sum = 0, word;
    for (int i = 0; i < 4; i++) {
        memcpy(&word, row + i * sizeof word, sizeof word);
        sum += word;
    }
    return (uint32_t)(sum * 0x0001000100010001 >> 48);
}

static inline uint32_t sum_words(const uint8_t *row)
{
    uint64_t sum = 0, word;
    for (int i = 0; i < 4; i++) {
        memcpy(&word, row + i * sizeof word, sizeof word);
        sum += (word & 0x0000ffff0000ffff) + (word >> 16 & 0x0000ffff0000ffff);
    }
    return (uint32_t)sum + (uint32_t)(sum >> 32);
}

static inline void profile_strip(Line *lines, int s, const FvLuma *luma, uint32_t (*sum)(const uint8_t *row))
{
    const uint8_t *row = luma->data + strip_first(s, luma->width) * (ptrdiff_t)luma->bytes;
    for (int y = 0; y < luma->height; y++, row += luma->stride)
        lines[y][s] = (uint16_t)((sum(row) << (16 - luma->depth)) / STRIP);
}

static void profile_rows(Line *lines, const FvLuma *luma)
{
    for (int s = 0; s < STRIPS; s++)
        if (luma->bytes == 1)
            profile_strip(lines, s, luma, sum_bytes);
        else if (luma->depth <= NARROW)
            profile_strip(lines, s, luma, sum_narrow);
        else
            profile_strip(lines, s, luma, sum_words);
}

/* Adds up a few columns at a time, in a cache. */
static void profile_columns(Line *lines, const FvLuma *luma)
{
    enum { TOGETHER = 512 };
    uint16_t column[TOGETHER];
    for (int s = 0; s < STRIPS; s++) {
        const int first = strip_first(s, luma->height);
        for (int x = 0; x < luma->width; x += TOGETHER) {
            FvLuma part = *luma;
            part.data += first * luma->stride + (ptrdiff_t)x * luma->bytes;
            part.width = luma->width - x < TOGETHER ? luma->width - x : TOGETHER;
            memset(column, 0, sizeof column);
            for (int y = 0; y < STRIP && luma->depth <= NARROW; y += 4)
                fv_luma_add_four(column, &part, y);
            for (int i = 0; i < part.width && luma->depth <= NARROW; i++)
                lines[x + i][s] = (uint16_t)(column[i] << (NARROW - luma->depth));
            for (int i = 0; i < part.width && luma->depth > NARROW; i++) {
                uint32_t sum = 0;
                for (int y = 0; y < STRIP; y++)
                    sum += ((const uint16_t *)(part.data + y * part.stride))[i];
                lines[x + i][s] = (uint16_t)((sum << (16 - luma->depth)) / STRIP);
            }
        }
    }
}

static int64_t apart(const Line a, const Line b)
{
    int64_t sum = 0;
    for (int s = 0; s < STRIPS; s++) {
        const int32_t d = a[s] - b[s];
        sum += (int64_t)d * d;
    }
    return sum;
}

/*
 * Returns the sum of squared differences between lines i of the distorted picture and lines i + e of the reference;
 * stops when it exceeds `most`.
 */
static int64_t apart_shifted(const Line *ref, const Line *dis, int count, int e, int64_t most)
{
    int64_t sum = 0;
    for (int i = EDGE; i < count - EDGE && sum <= most; i++)
        sum += apart(dis[i], ref[i + e]);
    return sum;
}

/*
 * Returns the sum of squared differences if lines 2k and 2k + 1 of the reference are exchanged; stops as
 * apart_shifted().
 */
static int64_t apart_exchanged(const Line *ref, const Line *dis, int count, int64_t most)
{
    int64_t sum = 0;
    for (int i = EDGE; i < count - EDGE && sum <= most; i++)
        sum += apart(dis[i], ref[i < count / 2 * 2 ? i ^ 1 : i]);
    return sum;
}

static int64_t fit_lines(const Line *ref, const Line *dis, int count)
{
    if (count <= 2 * EDGE)
        return FV_LINES_UNKNOWN;
    const int64_t own = apart_shifted(ref, dis, count, 0, INT64_MAX);
    const int64_t little = (int64_t)(count - 2 * EDGE) * STRIPS * CODE * CODE;
    if (own < little) /* lines that differ from their neighbours as little fit anywhere */
        return apart_shifted(ref, ref, count, 1, 4 * little) < 4 * little ? FV_LINES_UNKNOWN : FV_LINES_ALIKE;
    int64_t least = own / 8 + 1, fit = FV_LINES_APART; /* another fit must be eight times as good */
    for (int e = -FV_LINES_FARTHEST; e <= FV_LINES_FARTHEST; e++) {
        const int64_t sum = e ? apart_shifted(ref, dis, count, e, least) : own;
        if (sum < least) {
            least = sum;
            fit = FV_LINES_SHIFT(e);
        }
    }
    return apart_exchanged(ref, dis, count, least) < least ? FV_LINES_FIELDS : fit;
}

static FvLookBar measure_bar(const Line *own, const Line *other, int count, bool end)
{
    FvLookBar bar = {.lines = 0};
    int64_t bright = 0;
    for (; bar.lines < count; bar.lines++) {
        const ptrdiff_t at = end ? count - 1 - bar.lines : bar.lines;
        int dark = 0, light = 0;
        for (int s = 0; s < STRIPS; s++) {
            dark += own[at][s] <= BLACK;
            light += other[at][s] >= BRIGHT;
        }
        if (dark < STRIPS)
            break;
        bright += light;
    }
    bar.bright = 2 * bright >= STRIPS * bar.lines;
    return bar;
}

/* Compares the lines of two pictures of equal size; if both are RGB, those of green instead of luma. */
static FvStatus look_at_lines(FvLook *look, const FvFrame *const frame[2], FvError *error)
{
    const FvFormat *ref = &frame[0]->format, *dis = &frame[1]->format;
    const int most = ref->width > ref->height ? ref->width : ref->height;
    if (ref->width != dis->width || ref->height != dis->height ||
        (ref->chroma == FV_CHROMA_RGB) != (dis->chroma == FV_CHROMA_RGB))
        return FV_OK;
    Line *memory = fv_alloc(2 * (size_t)most * sizeof *memory), *line[2] = {memory, memory + most};
    if (!memory)
        return fv_fail_memory(error, 2 * (size_t)most * sizeof *memory);
    for (int axis = 0; axis < FV_AXES; axis++) {
        FvLookLines *lines = &look->lines[axis];
        const int count = axis == FV_AXIS_ROWS ? ref->height : ref->width;
        if ((axis == FV_AXIS_ROWS ? ref->width : ref->height) < STRIPS * STRIP)
            continue;
        for (int side = 0; side < 2; side++) {
            const FvLuma luma = plane_of(frame[side], ref->chroma == FV_CHROMA_RGB ? 1 : 0);
            (axis == FV_AXIS_ROWS ? profile_rows : profile_columns)(line[side], &luma);
        }
        lines->count = count;
        lines->fit = fit_lines(line[0], line[1], count);
        for (int side = 0; side < 2; side++)
            for (int end = 0; end < 2; end++)
                lines->bar[side][end] = measure_bar(line[side], line[!side], count, end);
    }
    fv_free(memory);
    return FV_OK;
}

/* ---- A pair ---------------------------------------------------------------------------------------------------- */

FvStatus fv_look_make(FvLook *look, int64_t number, const FvFrame *const frame[2], const int32_t *const signature[2],
                      FvError *error)
{
    int32_t v[FV_LOOK_VECTOR][FV_SIGNATURE];
    memset(look, 0, sizeof *look);
    look->number = number;
    look->coloured = frame[0]->format.chroma && frame[1]->format.chroma;
    for (int c = 0; c < FV_SIGNATURE; c++)
        v[0][c] = 1;
    for (int side = 0; side < 2; side++)
        sign(v + 1 + 3 * side, frame[side], signature[side], look->coloured);
    add_blocks(look, v);
    return look_at_lines(look, frame, error);
}

bool fv_look_is_whole(const FvLook *look)
{
    const int64_t most = (int64_t)FV_SIGNATURE << 32;
    bool whole = look->number >= 0 && look->moments[0] == FV_SIGNATURE && look->coloured >> 1 == 0;
    for (int i = 0; i < FV_LOOK_MOMENTS; i++)
        whole &= look->moments[i] >= -most && look->moments[i] <= most;
    for (int i = 0; i < FV_LOOK_BINS * FV_BIN_SUMS; i++)
        whole &= look->bins[i / FV_BIN_SUMS][i % FV_BIN_SUMS] >= -most &&
                 look->bins[i / FV_BIN_SUMS][i % FV_BIN_SUMS] <= most;
    for (int axis = 0; axis < FV_AXES; axis++) {
        const FvLookLines *lines = &look->lines[axis];
        whole &= lines->count >= 0 && lines->count <= FV_MAX_SIDE && lines->fit >= FV_LINES_UNKNOWN &&
                 lines->fit <= FV_LINES_SHIFT(FV_LINES_FARTHEST);
        for (int i = 0; i < 4; i++)
            whole &= lines->bar[i / 2][i % 2].lines >= 0 && lines->bar[i / 2][i % 2].lines <= lines->count &&
                     lines->bar[i / 2][i % 2].bright >> 1 == 0;
    }
    return whole;
}

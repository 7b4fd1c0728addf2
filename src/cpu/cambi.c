/* Computes CAMBI's scales for one instruction set: conversion, mask, mode filter, halving. */
#include "cpu/cambi.h"

#include <string.h>

#include "cpu/simd.h"
#include "cpu/cambi_contrast.h"

#include "arith/cambi.h"
#include "os/memory.h"

#define LANES16 (2 * FV_LANES)
#define LANES8 (4 * FV_LANES)
/* Samples on each side of a row of working memory, so that neighbours can be read unconditionally. */
#define MARGIN 64

/*
 * Working memory of a band: ring buffers of rows. Row y is at y modulo the ring's size. The letters I, Z and T are
 * those of vectors/spec/cambi.md.
 */
typedef struct Rows {
    const FvCambiPicture *picture;
    const uint8_t *source;
    ptrdiff_t source_stride;
    size_t pitch;         /* distance from row to row, in elements */
    uint16_t *image;      /* 8 rows: I */
    uint8_t *flat;        /* 8 rows: Z, 0 or 1 */
    uint8_t *column;      /* 1 row: sums of 7 rows of Z */
    uint16_t *unfiltered; /* 4 rows of the scale, with flags */
    uint16_t *horizontal; /* 4 rows: T */
    uint16_t *line[2];    /* source rows at processing size */
    int first_image, next_image;
} Rows;

static size_t pitch_of(const FvCambiPicture *picture)
{
    return FV_ROUND_UP((size_t)picture->width, 64) + 2 * MARGIN;
}

static size_t rows_bytes(const FvCambiPicture *picture)
{
    return pitch_of(picture) * (8 * 2 + 8 + 1 + 4 * 2 + 4 * 2 + 2 * 2);
}

static Rows rows_in(void *scratch, const FvCambiPicture *picture)
{
    size_t pitch = pitch_of(picture);
    Rows rows = {.picture = picture, .pitch = pitch};
    rows.image = (uint16_t *)scratch + MARGIN;
    rows.unfiltered = rows.image + 8 * pitch;
    rows.horizontal = rows.unfiltered + 4 * pitch;
    rows.line[0] = rows.horizontal + 4 * pitch;
    rows.line[1] = rows.line[0] + pitch;
    rows.flat = (uint8_t *)(rows.line[1] + pitch - MARGIN) + MARGIN;
    rows.column = rows.flat + 8 * pitch;
    return rows;
}

/* ---- Conversion --------------------------------------------------------------------------------------------- */

/* Writes source row y at processing size with 10 bits; writes a multiple of LANES16 samples. */
static void convert_row(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, int y, uint16_t *to)
{
    const uint8_t *row = source + (p->row ? p->row[y] : y) * stride;
    const uint16_t *row16 = (const uint16_t *)row;
    int shift = p->depth - 10;
    if (p->column)
        for (int x = 0; x < p->width; x++)
            to[x] = p->depth == 8 ? row[p->column[x]] : row16[p->column[x]];
    for (int x = 0; x < p->width; x += LANES16) {
        /* Prefetches these columns of the next row: rows are too short for the processor's own prefetching. */
        __builtin_prefetch((const void *)((uintptr_t)row + (uintptr_t)(stride + (p->depth == 8 ? x : 2 * x))));
        fv_u16 v = p->column       ? FV_LOAD(fv_u16, to + x)
                   : p->depth == 8 ? (fv_u16)fv_i16_from_u8(FV_LOAD(fv_u8_half, row + x))
                                   : FV_LOAD(fv_u16, row16 + x);
        FV_STORE(to + x, shift > 0 ? fv_cambi_narrow(v, shift) : v << (uint16_t)-shift);
    }
}

FV_FN void undither(const uint16_t *here, const uint16_t *below, int width, uint16_t *to)
{
    for (int x = 0; x < width; x += LANES16)
        FV_STORE(to + x, fv_cambi_undither(FV_LOAD(fv_u16, here + x), FV_LOAD(fv_u16, here + x + 1),
                                           FV_LOAD(fv_u16, below + x), FV_LOAD(fv_u16, below + x + 1)));
}

/* Computes row y of the frame. have: line[y & 1] already holds source row y. line[~y & 1] receives row y + 1. */
static void make_row(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, int y, bool have,
                     uint16_t *const line[2], uint16_t *to)
{
    if (!p->undither) {
        convert_row(p, source, stride, y, to);
        return;
    }
    uint16_t *here = line[y & 1], *below = y + 1 < p->height ? line[~y & 1] : here;
    if (!have) {
        convert_row(p, source, stride, y, here);
        here[p->width] = here[p->width - 1];
    }
    if (below != here) {
        convert_row(p, source, stride, y + 1, below);
        below[p->width] = below[p->width - 1];
    }
    undither(here, below, p->width, to);
}

static void row(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, int y, uint16_t *to, void *scratch)
{
    Rows rows = rows_in(scratch, p);
    make_row(p, source, stride, y, false, rows.line, to);
}

/* ---- Mask --------------------------------------------------------------------------------------------------- */

static uint16_t *image_row(const Rows *r, int y)
{
    return r->image + (size_t)(y & 7) * r->pitch;
}

static uint8_t *flat_row(const Rows *r, int y)
{
    return r->flat + (size_t)(y & 7) * r->pitch;
}

static void need_image(Rows *r, int y)
{
    const FvCambiPicture *p = r->picture;
    for (; r->next_image <= y; r->next_image++) {
        uint16_t *to = image_row(r, r->next_image);
        make_row(p, r->source, r->source_stride, r->next_image, r->next_image > r->first_image, r->line, to);
        to[p->width] = to[p->width - 1];
    }
}

#if defined(__AVX512BW__)
/*
 * Returns a mask as a number that may be widened. When GCC 12 runs out of mask registers, it stores 32 bits of the
 * mask in memory and may load 64; it does not do so from a general register.
 */
FV_FN uint32_t number_of(__mmask32 mask)
{
    uint32_t number = mask;
    __asm__("" : "+r"(number));
    return number;
}
#endif

/* Narrows two vectors of 16-bit truth values to one vector of bytes. */
FV_FN fv_u8 narrow(fv_i16 low, fv_i16 high)
{
#if defined(__AVX512BW__)
    uint64_t first = number_of(_mm512_movepi16_mask((__m512i)low)),
             second = number_of(_mm512_movepi16_mask((__m512i)high));
    return (fv_u8)_mm512_movm_epi8(first | second << 32);
#elif defined(__AVX2__)
    return (fv_u8)_mm256_permute4x64_epi64(_mm256_packs_epi16((__m256i)low, (__m256i)high), 0xd8);
#elif defined(__SSE2__)
    return (fv_u8)_mm_packs_epi16((__m128i)low, (__m128i)high);
#elif defined(__wasm_simd128__)
    return (fv_u8)wasm_i8x16_narrow_i16x8((v128_t)low, (v128_t)high);
#else
    return (fv_u8)vcombine_s8(vmovn_s16((int16x8_t)low), vmovn_s16((int16x8_t)high));
#endif
}

/* Returns where a sample equals its right and its lower neighbour. */
FV_FN fv_i16 is_flat(const uint16_t *here, const uint16_t *below)
{
    fv_u16 v = FV_LOAD(fv_u16, here);
    return (fv_i16)(v == FV_LOAD(fv_u16, here + 1)) & (fv_i16)(v == FV_LOAD(fv_u16, below));
}

static void make_flat(Rows *r, int y)
{
    const FvCambiPicture *p = r->picture;
    need_image(r, y + 1 < p->height ? y + 1 : y);
    const uint16_t *here = image_row(r, y), *below = y + 1 < p->height ? image_row(r, y + 1) : here;
    uint8_t *flat = flat_row(r, y);
    for (int x = 0; x < p->width; x += LANES8)
        FV_STORE(flat + x,
                 narrow(is_flat(here + x, below + x), is_flat(here + x + LANES16, below + x + LANES16)) & 1);
    memset(flat + p->width, 0, MARGIN);
}

/* Computes column sums of Z over rows [y - 3, y + 3]; slide: updates the sums of row y - 1 instead. */
static void sum_columns(Rows *r, int y, bool slide)
{
    const FvCambiPicture *p = r->picture;
    if (!slide) {
        memset(r->column - MARGIN, 0, r->pitch);
        for (int i = y - 3; i < y + 3; i++)
            if (i >= 0 && i < p->height) {
                make_flat(r, i);
                for (int x = 0; x < p->width; x += LANES8)
                    FV_STORE(r->column + x, FV_LOAD(fv_u8, r->column + x) + FV_LOAD(fv_u8, flat_row(r, i) + x));
            }
    }
    const fv_u8 none = {0};
    bool enter = y + 3 < p->height, leave = slide && y - 4 >= 0;
    if (enter)
        make_flat(r, y + 3);
    const uint8_t *in = flat_row(r, y + 3), *out = flat_row(r, y - 4);
    for (int x = 0; x < p->width; x += LANES8)
        FV_STORE(r->column + x, FV_LOAD(fv_u8, r->column + x) + (enter ? FV_LOAD(fv_u8, in + x) : none) -
                                    (leave ? FV_LOAD(fv_u8, out + x) : none));
}

/* Computes the flag FV_CAMBI_MASKED of LANES16 pixels: set where the 7x7 sum exceeds the threshold. */
FV_FN void flags_at(const uint8_t *column, int threshold, fv_u16 flags[2])
{
    fv_u8 sum = FV_LOAD(fv_u8, column - 3);
    for (int i = -2; i <= 3; i++)
        sum += FV_LOAD(fv_u8, column + i);
#if defined(__AVX512BW__)
    uint64_t bits = _mm512_cmpgt_epu8_mask((__m512i)sum, _mm512_set1_epi8((char)threshold));
    for (int i = 0; i < 2; i++)
        flags[i] = (fv_u16)_mm512_maskz_set1_epi16((__mmask32)(bits >> 32 * i), (short)FV_CAMBI_MASKED);
#else
    typedef int8_t half __attribute__((vector_size(FV_VECTOR_BYTES / 2)));
    int8_t truth[LANES8];
    FV_STORE(truth, sum > (uint8_t)threshold);
    for (int i = 0; i < 2; i++)
        flags[i] = (fv_u16) __builtin_convertvector(FV_LOAD(half, truth + i * LANES16), fv_i16) & FV_CAMBI_MASKED;
#endif
}

/* ---- Mode filter -------------------------------------------------------------------------------------------- */

FV_FN fv_i16 value_at(const uint16_t *sample)
{
    return FV_LOAD(fv_i16, sample) & 0x7fff;
}

static uint16_t *ring4(const Rows *r, uint16_t *rows, int y)
{
    return rows + (size_t)(y & 3) * r->pitch;
}

/* Computes T of an unfiltered row. Outside the row, its first and last samples repeat. */
static void filter_across(const Rows *r, int y, int width)
{
    uint16_t *from = ring4(r, r->unfiltered, y), *to = ring4(r, r->horizontal, y);
    from[-1] = from[0];
    from[width] = from[width - 1];
    for (int x = 0; x < width; x += LANES16)
        FV_STORE(to + x, fv_cambi_mode3(value_at(from + x - 1), value_at(from + x), value_at(from + x + 1)));
}

/* Returns the even samples of two vectors. */
FV_FN fv_u16 even(const uint16_t *from)
{
    fv_u32 low = FV_LOAD(fv_u32, from), high = FV_LOAD(fv_u32, from + LANES16);
#if defined(__AVX512BW__)
    return (fv_u16)_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16((__m512i)low)),
                                      _mm512_cvtepi32_epi16((__m512i)high), 1);
#elif defined(__AVX2__)
    return (fv_u16)_mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)(low & 0xffff), (__m256i)(high & 0xffff)),
                                            0xd8);
#elif defined(__SSE2__)
    /* _mm_packs_epi32() saturates signed numbers; sign extension keeps all 16 bits of a sample. */
    return (fv_u16)_mm_packs_epi32((__m128i)((fv_i32)(low << 16) >> 16), (__m128i)((fv_i32)(high << 16) >> 16));
#elif defined(__wasm_simd128__)
    return __builtin_shufflevector((fv_u16)low, (fv_u16)high, 0, 2, 4, 6, 8, 10, 12, 14);
#else
    return (fv_u16)vcombine_u16(vmovn_u32((uint32x4_t)low), vmovn_u32((uint32x4_t)high));
#endif
}

/*
 * Bits of LANES16 samples: whether each differs from the previous sample, and whether it is in [first, first + span].
 */
typedef struct Compared {
    uint64_t differ, count;
} Compared;

FV_FN Compared compare(fv_u16 here, fv_u16 before, fv_u16 first, fv_u16 span)
{
    fv_u16 above = here - first;
#if defined(__AVX512BW__)
    return (Compared){number_of(_mm512_cmpneq_epi16_mask((__m512i)here, (__m512i)before)),
                      number_of(_mm512_cmple_epu16_mask((__m512i)above, (__m512i)span))};
#else
    fv_i16 differ = (fv_i16)(here != before), count = (fv_i16)(fv_max_u16(above, span) == span);
#if defined(__AVX2__)
    uint32_t both = (uint32_t)_mm256_movemask_epi8(
        _mm256_permute4x64_epi64(_mm256_packs_epi16((__m256i)differ, (__m256i)count), 0xd8));
    return (Compared){both & 0xffff, both >> 16};
#elif defined(__SSE2__)
    uint32_t both = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)differ, (__m128i)count));
    return (Compared){both & 0xff, both >> 8};
#elif defined(__wasm_simd128__)
    return (Compared){wasm_i16x8_bitmask((v128_t)differ), wasm_i16x8_bitmask((v128_t)count)};
#else
    const uint16x8_t place = {1, 2, 4, 8, 16, 32, 64, 128};
    return (Compared){vaddvq_u16(vandq_u16((uint16x8_t)differ, place)),
                      vaddvq_u16(vandq_u16((uint16x8_t)count, place))};
#endif
#endif
}

/* Returns the edges of runs among 64 samples. */
FV_FN FvCambiEdges edges_at(const uint16_t *sample, fv_u16 first, fv_u16 span, uint64_t *counted)
{
    uint64_t differ = 0, count = 0;
    for (int i = 0; i < 64; i += LANES16) {
        Compared c = compare(FV_LOAD(fv_u16, sample + i), FV_LOAD(fv_u16, sample + i - 1), first, span);
        differ |= c.differ << i;
        count |= c.count << i;
    }
    FvCambiEdges edges = {count & differ, (count << 1 | *counted >> 63) & differ};
    *counted = count;
    return edges;
}

/* Computes row y of the scale from unfiltered rows. Returns the number of pixels that can yield a nonzero c-value. */
static int64_t finish_row(const Rows *r, const FvCambiScale *scale, void *frame, int y)
{
    const uint16_t *here = ring4(r, r->unfiltered, y);
    const uint16_t *above = ring4(r, r->horizontal, y - 1), *middle = ring4(r, r->horizontal, y);
    const uint16_t *below = ring4(r, r->horizontal, y + 1);
    uint16_t *to = fv_cambi_row(scale, frame, y);
    if (y == 0 || y == scale->height - 1)
        memcpy(to, here, (size_t)scale->width * sizeof *to);
    else
        for (int x = 0; x < scale->width; x += LANES16)
            FV_STORE(to + x, fv_cambi_mode3(FV_LOAD(fv_i16, above + x), FV_LOAD(fv_i16, middle + x),
                                            FV_LOAD(fv_i16, below + x)) |
                                 (FV_LOAD(fv_i16, here + x) & (int16_t)FV_CAMBI_MASKED));
    to[-1] = 0;
    memset(to + scale->width, 0, (FV_ROUND_UP((size_t)scale->width, 64) - (size_t)scale->width) * sizeof *to);
    const FvCambiTables *tables = r->picture->tables;
    FvCambiEdges *edges = fv_cambi_edges(scale, frame, y);
    int64_t masked = 0;
    uint64_t counted = 0;
    fv_u16 first = (fv_u16){0} + (uint16_t)(FV_CAMBI_MASKED + tables->low);
    fv_u16 span = (fv_u16){0} + (uint16_t)(tables->high - tables->low);
    for (int i = 0; i < scale->edge_words; i++) {
        edges[i] = edges_at(to + 64 * i, first, span, &counted);
        masked += __builtin_popcountll(counted);
    }
    return masked;
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* Computes the unfiltered row y of scale 0. The caller asks for rows in order. */
static void make_unfiltered(Rows *r, int y, bool first)
{
    const FvCambiPicture *p = r->picture;
    uint16_t *to = ring4(r, r->unfiltered, y);
    int full = p->half ? 2 * y : y;
    uint16_t *wide = p->half ? image_row(r, full - 1) : to; /* reuses the row above, which is not read again */
    if (p->half && !first)
        sum_columns(r, full - 1, true);
    sum_columns(r, full, !first);
    const uint16_t *image = image_row(r, full);
    for (int x = 0; x < p->width; x += LANES8) {
        fv_u16 flags[2];
        flags_at(r->column + x, p->mask_threshold, flags);
        for (int i = 0; i < 2; i++)
            FV_STORE(wide + x + i * LANES16, FV_LOAD(fv_u16, image + x + i * LANES16) | flags[i]);
    }
    if (p->half)
        for (int x = 0; x < p->scale[0].width; x += LANES16)
            FV_STORE(to + x, even(wide + 2 * x));
}

static int64_t prepare(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, void *frame, int first,
                       int rows, void *scratch)
{
    const FvCambiScale *scale = &p->scale[0];
    int64_t masked = 0;
    Rows r = rows_in(scratch, p);
    r.source = source;
    r.source_stride = stride;
    int begin = first > 0 ? first - 1 : 0, made = begin;
    int top = (p->half ? 2 * begin : begin) - 3;
    r.first_image = r.next_image = top > 0 ? top : 0;
    for (int y = first; y < first + rows; y++) {
        for (; made <= y + 1 && made < scale->height; made++) {
            make_unfiltered(&r, made, made == begin);
            filter_across(&r, made, scale->width);
        }
        masked += finish_row(&r, scale, frame, y);
    }
    return masked;
}

static int64_t halve(const FvCambiPicture *p, void *frame, int s, int first, int rows, void *scratch)
{
    const FvCambiScale *scale = &p->scale[s];
    int64_t masked = 0;
    Rows r = rows_in(scratch, p);
    int made = first > 0 ? first - 1 : 0;
    for (int y = first; y < first + rows; y++) {
        for (; made <= y + 1 && made < scale->height; made++) {
            const uint16_t *from = fv_cambi_row(&p->scale[s - 1], frame, 2 * made);
            uint16_t *to = ring4(&r, r.unfiltered, made);
            for (int x = 0; x < scale->width; x += LANES16)
                FV_STORE(to + x, even(from + 2 * x));
            filter_across(&r, made, scale->width);
        }
        masked += finish_row(&r, scale, frame, y);
    }
    return masked;
}

static size_t scratch(const FvCambiPicture *p)
{
    size_t rows = rows_bytes(p), strip = FV_ISA_STRUCT(fv_cambi_contrast_scratch)(p);
    return FV_ROUND_UP(rows > strip ? rows : strip, FV_ALIGN);
}

const FvCambiKernels FV_ISA_STRUCT(fv_cambi_kernels) = {.row = row,
                                                        .prepare = prepare,
                                                        .halve = halve,
                                                        .contrast = FV_ISA_STRUCT(fv_cambi_contrast),
                                                        .select = FV_ISA_STRUCT(fv_cambi_select),
                                                        .scratch = scratch};

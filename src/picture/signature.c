#include "picture/signature.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "picture/frame.h"

/*
 * Returns the sum of samples [first, end) of a row. A block has at most 1024 samples per row, so the sum fits 32
 * bits.
 */
static uint32_t sum_row(const FvLuma *luma, int y, int first, int end)
{
    const uint8_t *row = luma->data + y * luma->stride;
    uint32_t sum = 0;
    if (luma->table)
        for (int x = first; x < end; x++)
            sum += luma->table[luma->bytes == 1 ? row[x] : ((const uint16_t *)row)[x]];
    else if (luma->bytes == 1)
        for (int x = first; x < end; x++)
            sum += row[x];
    else
        for (int x = first; x < end; x++)
            sum += ((const uint16_t *)row)[x];
    return luma->table ? sum : sum << luma->shift;
}

static int first_row(const FvLuma *luma, int l)
{
    return fv_block_first(l, luma->height, FV_SIGNATURE_ROWS);
}

static int first_column(const FvLuma *luma, int k)
{
    return fv_block_first(k, luma->width, FV_SIGNATURE_COLUMNS);
}

void fv_luma_add_four(uint16_t *column, const FvLuma *luma, int y)
{
    const ptrdiff_t stride = luma->stride;
    const uint8_t *row = luma->data + y * stride;
    const uint8_t *byte[4] = {row, row + stride, row + 2 * stride, row + 3 * stride};
    const uint16_t *word[4];
    for (int i = 0; i < 4; i++)
        word[i] = (const uint16_t *)byte[i];
    if (luma->bytes == 1)
        for (int x = 0; x < luma->width; x++)
            column[x] = (uint16_t)(column[x] + byte[0][x] + byte[1][x] + byte[2][x] + byte[3][x]);
    else
        for (int x = 0; x < luma->width; x++)
            column[x] = (uint16_t)(column[x] + word[0][x] + word[1][x] + word[2][x] + word[3][x]);
}

static void add_one(uint16_t *column, const uint8_t *row, const FvLuma *luma)
{
    if (luma->bytes == 1)
        for (int x = 0; x < luma->width; x++)
            column[x] = (uint16_t)(column[x] + row[x]);
    else
        for (int x = 0; x < luma->width; x++)
            column[x] = (uint16_t)(column[x] + ((const uint16_t *)row)[x]);
}

/* Adds rows [first, end) of one row of blocks; they must be so few that the sums of their columns fit 16 bits. */
static void add_columns(uint64_t sums[FV_SIGNATURE_COLUMNS], const FvLuma *luma, int first, int end)
{
    uint16_t column[FV_MAX_SIDE];
    memset(column, 0, (size_t)luma->width * sizeof *column);
    int y = first;
    for (; y + 4 <= end; y += 4)
        fv_luma_add_four(column, luma, y);
    for (; y < end; y++)
        add_one(column, luma->data + y * luma->stride, luma);
    for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
        uint32_t sum = 0;
        for (int x = first_column(luma, k); x < first_column(luma, k + 1); x++)
            sum += column[x];
        sums[k] += (uint64_t)sum << luma->shift;
    }
}

static void add_rows(uint64_t sums[FV_SIGNATURE], const FvLuma *luma)
{
    const int together = 65536 >> luma->depth;
    for (int y = 0, l = 0; y < luma->height;) {
        while (y >= first_row(luma, l + 1))
            l++;
        uint64_t *blocks = sums + (ptrdiff_t)l * FV_SIGNATURE_COLUMNS;
        int next = first_row(luma, l + 1);
        next = next - y < together ? next : y + together;
        if (next - y > 1)
            add_columns(blocks, luma, y, next);
        else
            for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
                blocks[k] += sum_row(luma, y, first_column(luma, k), first_column(luma, k + 1));
        y = next;
    }
}

FvLuma fv_luma_of(const FvFrame *frame)
{
    return (FvLuma){.data = frame->data[0],
                    .stride = frame->stride[0],
                    .width = frame->format.width,
                    .height = frame->format.height,
                    .bytes = fv_format_sample_bytes(&frame->format),
                    .depth = frame->format.depth};
}

void fv_signature_make(int32_t signature[FV_SIGNATURE], const FvFrame *frame)
{
    const FvLuma luma = fv_luma_of(frame);
    uint64_t sums[FV_SIGNATURE] = {0};
    add_rows(sums, &luma);
    for (int l = 0; l < FV_SIGNATURE_ROWS; l++)
        for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
            const int rows = first_row(&luma, l + 1) - first_row(&luma, l);
            const int columns = first_column(&luma, k + 1) - first_column(&luma, k);
            const int at = l * FV_SIGNATURE_COLUMNS + k;
            signature[at] = (int32_t)((sums[at] << (16 - luma.depth)) / ((uint64_t)rows * (uint64_t)columns));
        }
}

/* ---- Samples --------------------------------------------------------------------------------------------------- */

static uint32_t sum_sampled(const FvLuma *luma, int y, FvSampled columns)
{
    const uint8_t *row = luma->data + y * luma->stride;
    uint32_t sum = 0;
    for (int i = 0, x = columns.first; i < columns.count; i++, x += columns.step) {
        const unsigned sample = luma->bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
        sum += luma->table ? luma->table[sample] : sample << luma->shift;
    }
    return sum;
}

typedef uint16_t Eight __attribute__((vector_size(16)));

static inline Eight even_bytes(const uint8_t *row)
{
    Eight all;
    memcpy(&all, row, sizeof all);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? all >> 8 : all & 0xff;
}

/* Adds the even columns of four rows of bytes. */
static void add_even_columns(uint16_t *sums, const uint8_t *row, ptrdiff_t stride, int width)
{
    const uint8_t *second = row + stride, *third = second + stride, *fourth = third + stride;
    _Pragma("GCC unroll 4") for (int x = 0; x + 16 <= width; x += 16)
    {
        const Eight sum =
            even_bytes(row + x) + even_bytes(second + x) + even_bytes(third + x) + even_bytes(fourth + x);
        memcpy(sums + x / 2, &sum, sizeof sum);
    }
    for (int x = width & ~15; x < width; x += 2)
        sums[x / 2] = (uint16_t)(row[x] + second[x] + third[x] + fourth[x]);
}

/* Adds the columns of four rows of 16-bit samples of at most 14 bits. */
static void add_word_columns(uint16_t *sums, const uint8_t *row, ptrdiff_t stride, int width)
{
    const uint16_t *first = (const uint16_t *)row, *second = (const uint16_t *)(row + stride);
    const uint16_t *third = (const uint16_t *)(row + 2 * stride), *fourth = (const uint16_t *)(row + 3 * stride);
    for (int x = 0; x < width; x++)
        sums[x] = (uint16_t)(first[x] + second[x] + third[x] + fourth[x]);
}

#define QUICK_WIDTH 4096 /* width of frames up to which the sums of a block's columns of bytes fit 16 bits */

/* Adds up sums, four at a time. The multiplication adds up the four. */
static inline uint32_t sum_even_columns(const uint16_t *sums, const uint16_t *end)
{
    uint64_t all = 0, four;
    for (; sums < end; sums += 4) {
        memcpy(&four, sums, sizeof four);
        all += four;
        __asm__("" : "+r"(all)); /* keeps the compiler from vectorising a short loop */
    }
    return (uint32_t)(all * 0x0001000100010001 >> 48);
}

/* Adds up every second sum, two at a time. */
static inline uint32_t sum_second_columns(const uint16_t *sums, const uint16_t *end)
{
    uint64_t all = 0, four;
    for (; sums < end; sums += 4) {
        memcpy(&four, sums, sizeof four);
        all += (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? four >> 16 : four) & 0x0000ffff0000ffff;
        __asm__("" : "+r"(all)); /* keeps the compiler from vectorising a short loop */
    }
    return (uint32_t)(all + (all >> 32));
}

/* Adds a row of blocks of a narrow picture, whose samples are all used. */
static void add_whole_blocks(uint64_t blocks[FV_SIGNATURE_COLUMNS], const FvLuma *luma, FvSampled rows,
                             const FvSampled columns[FV_SIGNATURE_COLUMNS])
{
    uint32_t column[8 * FV_SIGNATURE_COLUMNS] = {0};
    for (int y = rows.first; y < rows.first + rows.count; y++) {
        const uint8_t *row = luma->data + y * luma->stride;
        if (luma->bytes == 1)
            for (int x = 0; x < luma->width; x++)
                column[x] += row[x];
        else
            for (int x = 0; x < luma->width; x++)
                column[x] += ((const uint16_t *)row)[x];
    }
    for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
        uint64_t sum = 0;
        for (int x = columns[k].first; x < columns[k].first + columns[k].count; x++)
            sum += column[x];
        blocks[k] += sum << luma->shift;
    }
}

void fv_sample_add(uint64_t sums[FV_SIGNATURE], const FvLuma *luma, int first, int end)
{
    uint16_t four[QUICK_WIDTH]; /* sums of four samples: of the even columns of bytes, of all columns of words */
    FvSampled columns[FV_SIGNATURE_COLUMNS];
    const uint16_t *begin[FV_SIGNATURE_COLUMNS],
        *end_of[FV_SIGNATURE_COLUMNS]; /* first and end column of each block, in `four` */
    const bool bytes = luma->bytes == 1;
    const bool quick =
        !luma->table && !fv_samples_all(luma->width) && luma->width <= QUICK_WIDTH && (bytes || luma->depth <= 14);
    const int shift = luma->shift;
    for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
        columns[k] = fv_sampled_columns(k, luma->width);
        begin[k] = quick ? four + columns[k].first / (bytes ? 2 : 1) : four;
        end_of[k] = quick ? begin[k] + columns[k].count * (bytes ? 1 : 2) : four;
    }
    for (int l = 0; l < FV_SIGNATURE_ROWS; l++) {
        const FvSampled rows = fv_sampled_rows(l, luma->width, luma->height);
        uint64_t *blocks = sums + (ptrdiff_t)l * FV_SIGNATURE_COLUMNS;
        if (quick && rows.count == 4 && rows.first >= first && rows.first + 3 * rows.step < end) {
            const uint8_t *row = luma->data + rows.first * luma->stride;
            (bytes ? add_even_columns : add_word_columns)(four, row, rows.step * luma->stride, luma->width);
            for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
                blocks[k] += (bytes ? sum_even_columns : sum_second_columns)(begin[k], end_of[k]) << shift;
            continue;
        }
        if (fv_samples_all(luma->width) && !luma->table && rows.first >= first && rows.first + rows.count <= end) {
            add_whole_blocks(blocks, luma, rows, columns);
            continue;
        }
        for (int i = 0, y = rows.first; i < rows.count; i++, y += rows.step)
            for (int k = 0; k < FV_SIGNATURE_COLUMNS && y >= first && y < end; k++)
                blocks[k] += sum_sampled(luma, y, columns[k]);
    }
}

int fv_sample_next(const FvLuma *luma, int y)
{
    for (int l = 0; l < FV_SIGNATURE_ROWS; l++) {
        const FvSampled rows = fv_sampled_rows(l, luma->width, luma->height);
        const int past = y - rows.first, i = past <= 0 ? 0 : (past + rows.step - 1) / rows.step;
        if (i < rows.count)
            return rows.first + i * rows.step;
    }
    return INT_MAX;
}

void fv_sample_end(int32_t signature[FV_SIGNATURE], const FvLuma *luma, const uint64_t sums[FV_SIGNATURE])
{
    uint64_t inverse[FV_SIGNATURE_COLUMNS]; /* 2^32 over the number of samples in a block */
    uint32_t sum[FV_SIGNATURE_COLUMNS];
    const int up = 16 - luma->depth;
    for (int l = 0, before = 0; l < FV_SIGNATURE_ROWS; l++) {
        const int rows = fv_sampled_rows(l, luma->width, luma->height).count;
        for (int k = 0; k < FV_SIGNATURE_COLUMNS && rows != before; k++)
            inverse[k] = ((uint64_t)1 << 32) / (uint64_t)(rows * fv_sampled_columns(k, luma->width).count);
        before = rows;
        for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
            sum[k] = (uint32_t)sums[l * FV_SIGNATURE_COLUMNS + k] << up;
        for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
            signature[l * FV_SIGNATURE_COLUMNS + k] = (int32_t)(sum[k] * inverse[k] >> 32);
    }
}

void fv_sample_make(int32_t signature[FV_SIGNATURE], const FvLuma *luma)
{
    uint64_t sums[FV_SIGNATURE] = {0};
    fv_sample_add(sums, luma, 0, luma->height);
    fv_sample_end(signature, luma, sums);
}

void fv_sample_take(int32_t signature[FV_SIGNATURE], const FvFormat *format, const uint32_t sums[FV_SIGNATURE])
{
    const FvLuma luma = {.width = format->width, .height = format->height, .depth = format->depth};
    uint64_t wide[FV_SIGNATURE];
    for (int c = 0; c < FV_SIGNATURE; c++)
        wide[c] = sums[c];
    fv_sample_end(signature, &luma, wide);
}

int32_t fv_signature_distance(const int32_t a[FV_SIGNATURE], const int32_t b[FV_SIGNATURE])
{
    int32_t sum = 0;
    for (int c = 0; c < FV_SIGNATURE; c++)
        sum += abs(a[c] - b[c]);
    return sum;
}

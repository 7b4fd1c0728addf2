#include "picture/signature.h"

#include <stdlib.h>
#include <string.h>

#include "picture/frame.h"

/* A block has at most 1024 samples of a row. */
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

/* The first row of block row `l`; below, the first column of block column `k`. */
static int first_row(const FvLuma *luma, int l)
{
    return (int)((int64_t)l * luma->height / FV_SIGNATURE_ROWS);
}

static int first_column(const FvLuma *luma, int k)
{
    return (int)((int64_t)k * luma->width / FV_SIGNATURE_COLUMNS);
}

/* Adds four rows, or one, to the 16-bit sums of the columns. */
static void add_four(uint16_t *column, const uint8_t *row, ptrdiff_t stride, const FvLuma *luma)
{
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

/* The rows lie in one row of blocks and are few enough for the sums of their columns to fit 16 bits. */
static void add_columns(uint64_t sums[FV_SIGNATURE_COLUMNS], const FvLuma *luma, int first, int end)
{
    uint16_t column[FV_MAX_SIDE];
    memset(column, 0, (size_t)luma->width * sizeof *column);
    int y = first;
    for (; y + 4 <= end; y += 4)
        add_four(column, luma->data + y * luma->stride, luma->stride, luma);
    for (; y < end; y++)
        add_one(column, luma->data + y * luma->stride, luma);
    for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
        uint32_t sum = 0;
        for (int x = first_column(luma, k); x < first_column(luma, k + 1); x++)
            sum += column[x];
        sums[k] += (uint64_t)sum << luma->shift;
    }
}

static void add_rows(uint64_t sums[FV_SIGNATURE], const FvLuma *luma, int first, int end)
{
    const int together = luma->table ? 1 : 65536 >> (luma->depth - luma->shift);
    for (int y = first, l = 0; y < end;) {
        while (y >= first_row(luma, l + 1))
            l++;
        uint64_t *blocks = sums + (ptrdiff_t)l * FV_SIGNATURE_COLUMNS;
        int next = end < first_row(luma, l + 1) ? end : first_row(luma, l + 1);
        next = next - y < together ? next : y + together;
        if (next - y > 1)
            add_columns(blocks, luma, y, next);
        else
            for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
                blocks[k] += sum_row(luma, y, first_column(luma, k), first_column(luma, k + 1));
        y = next;
    }
}

void fv_signature_add(uint64_t sums[FV_SIGNATURE], const FvFrame *frame, int first, int end)
{
    const FvLuma luma = {.data = frame->data[0],
                         .stride = frame->stride[0],
                         .width = frame->format.width,
                         .height = frame->format.height,
                         .bytes = fv_format_sample_bytes(&frame->format),
                         .depth = frame->format.depth};
    add_rows(sums, &luma, first, end);
}

void fv_signature_end(int32_t signature[FV_SIGNATURE], const FvFormat *format, const uint64_t sums[FV_SIGNATURE])
{
    const int64_t width = format->width, height = format->height;
    for (int l = 0; l < FV_SIGNATURE_ROWS; l++) {
        const int64_t rows = (l + 1) * height / FV_SIGNATURE_ROWS - l * height / FV_SIGNATURE_ROWS;
        for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
            const int64_t columns = (k + 1) * width / FV_SIGNATURE_COLUMNS - k * width / FV_SIGNATURE_COLUMNS;
            const int at = l * FV_SIGNATURE_COLUMNS + k;
            signature[at] = (int32_t)((sums[at] << (16 - format->depth)) / (uint64_t)(rows * columns));
        }
    }
}

void fv_signature_make(int32_t signature[FV_SIGNATURE], const FvFrame *frame)
{
    uint64_t sums[FV_SIGNATURE] = {0};
    fv_signature_add(sums, frame, 0, frame->format.height);
    fv_signature_end(signature, &frame->format, sums);
}

void fv_signature_make_luma(int32_t signature[FV_SIGNATURE], const FvLuma *luma)
{
    const FvFormat format = {.width = luma->width, .height = luma->height, .depth = luma->depth};
    uint64_t sums[FV_SIGNATURE] = {0};
    add_rows(sums, luma, 0, luma->height);
    fv_signature_end(signature, &format, sums);
}

int32_t fv_signature_distance(const int32_t a[FV_SIGNATURE], const int32_t b[FV_SIGNATURE])
{
    int32_t sum = 0;
    for (int c = 0; c < FV_SIGNATURE; c++)
        sum += abs(a[c] - b[c]);
    return sum;
}

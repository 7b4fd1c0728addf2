#include "signature.h"

#include <stdlib.h>

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

static void add_rows(uint64_t sums[FV_SIGNATURE], const FvLuma *luma, int first, int end)
{
    const int64_t width = luma->width, height = luma->height;
    for (int y = first, l = 0; y < end; y++) {
        while (y >= (l + 1) * height / FV_SIGNATURE_ROWS)
            l++;
        for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++)
            sums[l * FV_SIGNATURE_COLUMNS + k] += sum_row(luma, y, (int)(k * width / FV_SIGNATURE_COLUMNS),
                                                          (int)((k + 1) * width / FV_SIGNATURE_COLUMNS));
    }
}

void fv_signature_add(uint64_t sums[FV_SIGNATURE], const FvFrame *frame, int first, int end)
{
    const FvLuma luma = {.data = frame->data[0],
                         .stride = frame->stride[0],
                         .width = frame->format.width,
                         .height = frame->format.height,
                         .bytes = fv_format_sample_bytes(&frame->format)};
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

#include "signature.h"

#include <stdlib.h>

/* A block has at most 1024 samples of a row. */
static uint32_t sum_row(const FvFrame *frame, int y, int first, int end)
{
    const uint8_t *row = frame->data[0] + y * frame->stride[0];
    uint32_t sum = 0;
    if (frame->format.depth == 8)
        for (int x = first; x < end; x++)
            sum += row[x];
    else
        for (int x = first; x < end; x++)
            sum += ((const uint16_t *)row)[x];
    return sum;
}

void fv_signature_make(int32_t signature[FV_SIGNATURE], const FvFrame *frame)
{
    const int64_t width = frame->format.width, height = frame->format.height;
    for (int l = 0; l < FV_SIGNATURE_ROWS; l++) {
        const int top = (int)(l * height / FV_SIGNATURE_ROWS), bottom = (int)((l + 1) * height / FV_SIGNATURE_ROWS);
        for (int k = 0; k < FV_SIGNATURE_COLUMNS; k++) {
            const int left = (int)(k * width / FV_SIGNATURE_COLUMNS);
            const int right = (int)((k + 1) * width / FV_SIGNATURE_COLUMNS);
            uint64_t sum = 0;
            for (int y = top; y < bottom; y++)
                sum += sum_row(frame, y, left, right);
            signature[l * FV_SIGNATURE_COLUMNS + k] =
                (int32_t)((sum << (16 - frame->format.depth)) /
                          ((uint64_t)(bottom - top) * (uint64_t)(right - left)));
        }
    }
}

int32_t fv_signature_distance(const int32_t a[FV_SIGNATURE], const int32_t b[FV_SIGNATURE])
{
    int32_t sum = 0;
    for (int c = 0; c < FV_SIGNATURE; c++)
        sum += abs(a[c] - b[c]);
    return sum;
}

#include "align/swap.h"

#include <stdlib.h>

#include "picture/frame.h"

#define COLUMNS 16
#define ROWS 9
#define BLOCKS (COLUMNS * ROWS)
#define LEAST (2 * BLOCKS * 4 * 256) /* distance of planes that differ by 4 of 256 codes in each block of both */

/* The means of one row in the middle of each block, scaled to 16 bits. */
static void sample(int32_t mean[BLOCKS], const FvFrame *frame, int plane)
{
    const bool words = fv_format_sample_bytes(&frame->format) == 2;
    int width, height;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int b = 0; b < BLOCKS; b++) {
        const int y = (2 * (b / COLUMNS) + 1) * height / (2 * ROWS);
        const int first = b % COLUMNS * width / COLUMNS, end = (b % COLUMNS + 1) * width / COLUMNS;
        const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
        int64_t sum = 0;
        for (int x = first; x < end; x++)
            sum += words ? ((const uint16_t *)row)[x] : row[x];
        mean[b] = end > first ? (int32_t)((sum << (16 - frame->format.depth)) / (end - first)) : 0;
    }
}

static int64_t distance(const int32_t a[BLOCKS], const int32_t b[BLOCKS])
{
    int64_t sum = 0;
    for (int i = 0; i < BLOCKS; i++)
        sum += abs(a[i] - b[i]);
    return sum;
}

void fv_swap_add(FvSwap *swap, const FvFrame *reference, const FvFrame *distorted)
{
    const FvFrame *frame[2] = {reference, distorted};
    int32_t mean[2][2][BLOCKS];
    for (int side = 0; side < 2; side++)
        for (int plane = 0; plane < 2; plane++)
            sample(mean[side][plane], frame[side], 1 + plane);
    const int64_t own = distance(mean[0][0], mean[1][0]) + distance(mean[0][1], mean[1][1]);
    const int64_t exchanged = distance(mean[0][0], mean[1][1]) + distance(mean[0][1], mean[1][0]);
    if (own < LEAST && exchanged < LEAST)
        return;
    const bool fits = 3 * exchanged < own;
    swap->swapped += fits;
    swap->refuted |= !fits;
}

/* Kernels of the measures of one video for samples of 8 bits, a byte per lane. */
#pragma once

#include "cpu/lanes8.h"

#define BYTES (4 * FV_LANES)

/* Returns a mask of the first `count` bytes. */
FV_FN fv_u8 first_bytes(int count)
{
    static const int8_t index[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                     32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                     48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    return (fv_u8)(FV_LOAD(fv_u8, index) < (fv_u8){0} + (uint8_t)(count < BYTES ? count : BYTES));
}

FV_FN fv_u64 sums_of_eight(fv_u8 v)
{
    return fv_distances_u8(v, (fv_u8){0});
}

static uint64_t differing_bytes(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before,
                                ptrdiff_t before_stride, int width, int rows, uint32_t *block)
{
    fv_u64 differ = {0};
    for (int x = 0; x < width; x += BYTES) {
        const fv_u8 kept = first_bytes(width - x);
        fv_u64 sum = {0};
        fv_u8 unequal = {0};
        for (int y = 0; y < rows; y++) {
            const fv_u8 a = FV_LOAD(fv_u8, now + y * now_stride + x) & kept;
            const fv_u8 b = FV_LOAD(fv_u8, before + y * before_stride + x) & kept;
            sum += fv_distances_u8(a, b);
            unequal -= (fv_u8)(a != b);
        }
        differ += sums_of_eight(unequal);
        for (int i = 0; i < FV_LANES64; i += 2)
            block[x / FV_CHECK_BLOCK + i / 2] += (uint32_t)(sum[i] + sum[i + 1]);
    }
    return fv_sum_u64(differ);
}

static void level_bytes(const uint8_t *data, ptrdiff_t stride, int width, int rows, int few, int many,
                        FvCheckLevels *levels, uint64_t *row, uint32_t *column)
{
    const fv_u8 low = (fv_u8){0} + (uint8_t)few, high = (fv_u8){0} + (uint8_t)many;
    fv_u8 least = ~(fv_u8){0}, most = {0};
    fv_u64 below = {0}, above = {0}, across[FV_CHECK_BLOCK] = {{0}};
    for (int x = 0; x < width; x += BYTES) {
        const fv_u8 kept = first_bytes(width - x);
        fv_u8 dark = {0}, bright = {0};
        fv_i16 down[2] = {{0}, {0}};
        for (int y = 0; y < rows; y++) {
            const uint8_t *at = data + y * stride + x;
            const fv_u8 code = FV_LOAD(fv_u8, at) & kept;
            dark -= (fv_u8)(code <= low) & kept;
            bright -= (fv_u8)(code >= high) & kept;
            least = fv_min_u8(least, code | ~kept);
            most = fv_max_u8(most, code);
            if (row)
                across[y] += sums_of_eight(code);
            for (int i = 0; i < 2 && column; i++)
                down[i] += load(at, 1, i * WORDS);
        }
        below += sums_of_eight(dark);
        above += sums_of_eight(bright);
        uint16_t sums[BYTES];
        FV_STORE(sums, down[0]);
        FV_STORE(sums + WORDS, down[1]);
        for (int i = 0; i < BYTES && x + i < width && column; i++)
            column[x + i] += sums[i];
    }
    for (int i = 0; i < BYTES; i++) {
        levels->least = least[i] < levels->least ? least[i] : levels->least;
        levels->most = most[i] > levels->most ? most[i] : levels->most;
    }
    levels->few += few < 0 ? 0 : fv_sum_u64(below);
    levels->many += many > 255 ? 0 : fv_sum_u64(above);
    for (int y = 0; y < rows && row; y++)
        row[y] = fv_sum_u64(across[y]);
}

static void cell_bytes(const uint8_t *data, ptrdiff_t stride, int rows, const int *edge, uint64_t *cell)
{
    for (int i = 0; i < FV_CHECK_COLUMNS; i++) {
        fv_u64 sum = {0};
        for (int x = edge[i]; x < edge[i + 1]; x += BYTES) {
            const fv_u8 kept = first_bytes(edge[i + 1] - x);
            for (int y = 0; y < rows; y++)
                sum += sums_of_eight(FV_LOAD(fv_u8, data + y * stride + x) & kept);
        }
        cell[i] += fv_sum_u64(sum);
    }
}

/*
 * Returns the sums of |before + after - 2 at| of the lanes of a mask: the distances from `at` to the mean of the
 * other two, rounded up and rounded down.
 */
FV_FN fv_u64 bends(fv_u8 before, fv_u8 at, fv_u8 after, fv_u8 mask)
{
    const fv_u8 up = fv_mean_u8(before, after), down = up - ((before ^ after) & 1);
    return fv_distances_u8(up & mask, at & mask) + fv_distances_u8(down & mask, at & mask);
}

/* Sets the bits of lanes that move by more than 8. */
FV_FN fv_u8 moving_bytes(fv_u8 now, fv_u8 before)
{
    return fv_excess_u8(fv_distance_u8(now, before), (fv_u8){0} + 8);
}

/* Sets bits of lanes where `at` is above both others, or below both, by more than 9. */
FV_FN fv_u8 jagged_bytes(fv_u8 above, fv_u8 at, fv_u8 below)
{
    const fv_u8 peak = fv_min_u8(fv_excess_u8(at, above), fv_excess_u8(at, below));
    const fv_u8 dip = fv_min_u8(fv_excess_u8(above, at), fv_excess_u8(below, at));
    return fv_excess_u8(peak | dip, (fv_u8){0} + 9); /* one of the two is 0 */
}

/* Does what scan_words() does. The sum of combing needs 16 bits, and is computed only where a byte is jagged. */
static void scan_bytes(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan,
                       uint32_t *block)
{
    const int width = now->format.width, height = now->format.height;
    const FvFrame *old = before ? before : now;
    fv_u64 moving = {0}, own = {0}, even[2] = {{0}, {0}};
#define NOW(y) FV_LOAD(fv_u8, row_of(now, y) + x)
#define OLD(y) FV_LOAD(fv_u8, row_of(old, y) + x)
    for (int x = 0; x < width; x += BYTES) {
        const fv_u8 kept = first_bytes(width - x);
        fv_u8 b = NOW(first - 1), c = NOW(first), d = NOW(first + 1), p = OLD(first - 1), q = OLD(first);
        fv_u8 moved = moving_bytes(b, p), move = moving_bytes(c, q), moves = {0};
        fv_i16 combed[2] = {{0}, {0}};
        for (int y = first; y < first + rows; y++) {
            const fv_u8 r = OLD(y + 1), moving_below = moving_bytes(d, r);
            const fv_u8 counts = (fv_u8)((moved | move | moving_below) != 0) & kept;
            if (y > 0 && y < height - 1 && before && fv_any_u8(counts)) {
                moves -= counts;
                own += bends(b, c, d, counts);
                even[y & 1] += bends(p, c, r, counts);
                even[~y & 1] += bends(b, q, d, counts);
            }
            if (y >= 2 && y < height - 2 && fv_any_u8(jagged_bytes(b, c, d) & kept))
                for (int i = 0; i < 2; i++) {
#define ROW(y) load(row_of(now, y), 1, x + i * WORDS)
                    combed[i] -= combs(ROW(y - 2), ROW(y - 1), ROW(y), ROW(y + 1), ROW(y + 2), 1);
#undef ROW
                }
            b = c, c = d, d = NOW(y + 2);
            p = q, q = r;
            moved = move, move = moving_below;
        }
        moving += sums_of_eight(moves);
        for (int i = 0; i < 2; i++)
            if (x + i * WORDS < width)
                add_to_blocks(block, x + i * WORDS, combed[i] & first_words(width - x - i * WORDS));
    }
#undef NOW
#undef OLD
    scan->moving += fv_sum_u64(moving);
    scan->own += fv_sum_u64(own);
    scan->top += fv_sum_u64(even[0]);
    scan->bottom += fv_sum_u64(even[1]);
}

/* Returns the bytes before those from the beginning of a row on; the first one has itself before it. */
FV_FN fv_u8 byte_before_first(fv_u8 first)
{
    uint8_t row[BYTES + 1] = {first[0]};
    FV_STORE(row + 1, first);
    return FV_LOAD(fv_u8, row);
}

/* Adds the steps of up to 8 rows, whose sums of a column fit a byte. */
static void step_bytes(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8])
{
    const int width = frame->format.width;
    const ptrdiff_t stride = frame->stride[0];
    const fv_u8 cap = (fv_u8){0} + 16;
    fv_u64 vertical[8] = {{0}};
    fv_u32 horizontal[4] = {{0}};
    for (int x = 0; x < width; x += BYTES) {
        const fv_u8 kept = first_bytes(width - x);
        const uint8_t *at = frame->data[0] + first * stride + x;
        fv_u8 above = FV_LOAD(fv_u8, first ? at - stride : at), sum = {0};
        for (int y = 0; y < rows; y++, at += stride) {
            const fv_u8 code = FV_LOAD(fv_u8, at), left = x ? FV_LOAD(fv_u8, at - 1) : byte_before_first(code);
            sum += fv_min_u8(fv_distance_u8(code, left), cap);
            vertical[y] += sums_of_eight(fv_min_u8(fv_distance_u8(code, above), cap) & kept);
            above = code;
        }
        for (int i = 0; i < 4; i++)
            horizontal[i] += ((fv_u32)(sum & kept) >> 8 * i) & 0xff;
    }
    for (int i = 0; i < rows; i++)
        down[(first + i) & 7] += fv_sum_u64(vertical[i]);
    for (int i = 0; i < BYTES; i++)
        across[i & 7] += horizontal[i & 3][i / 4];
}

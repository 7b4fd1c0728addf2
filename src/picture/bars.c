#include "picture/bars.h"

#define MARGIN 8 /* 8-bit codes above black that still count as black */

/* Returns how many consecutive sums, from the first (step 1) or from the last (step -1) on, stay within the limit. */
static int count_dark_sums(const uint32_t *sums, int count, int step, uint64_t limit)
{
    int i = 0;
    while (i < count && sums[step > 0 ? i : count - 1 - i] <= limit)
        i++;
    return i;
}

void fv_find_black_lines(int lines[FV_BARS], const FvFormat *format, const uint32_t *rows, const uint32_t *columns)
{
    const int black = format->range == FV_RANGE_FULL ? 0 : 16;
    const uint64_t most = (uint64_t)(black + MARGIN) << (format->depth - 8);
    const uint64_t row = most * (uint64_t)format->width, column = most * (uint64_t)format->height;
    lines[FV_BAR_TOP] = count_dark_sums(rows, format->height, 1, row);
    lines[FV_BAR_BOTTOM] = count_dark_sums(rows, format->height, -1, row);
    lines[FV_BAR_LEFT] = count_dark_sums(columns, format->width, 1, column);
    lines[FV_BAR_RIGHT] = count_dark_sums(columns, format->width, -1, column);
}

/* The rank of a number in a sorted list. */
#pragma once

#include <stdint.h>

/* Returns how many of the ascending `numbers` are below `number`. */
static inline int64_t fv_rank(const int64_t *numbers, int64_t count, int64_t number)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

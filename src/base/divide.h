/* Divides integers. */
#pragma once

#include <stdint.h>

/* Returns the greatest integer that is not above a / b, for b > 0. */
static inline int64_t fv_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Orders numbers for qsort(). */
#pragma once

static inline int fv_compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints a score as text that reads back to the same value. */
#pragma once

#include <math.h>
#include <stdio.h>

/* Prints %.17g, or inf, -inf, nan (without the sign that printf prints for some NaN). */
static inline void fv_print_value(FILE *file, double value)
{
    if (isnan(value))
        fputs("nan", file);
    else
        fprintf(file, "%.17g", value);
}

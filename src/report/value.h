/* A score as text that reads back to the same value. */
#pragma once

#include <math.h>
#include <stdio.h>

/* %.17g, or inf, -inf, nan (without a sign, which printf would print for some). */
static inline void fv_print_value(FILE *file, double value)
{
    if (isnan(value))
        fputs("nan", file);
    else
        fprintf(file, "%.17g", value);
}

/* Converts scores of the SSIM family to decibels. */
#pragma once

#include <math.h>

#include "arith/exact.h"
#include "fovea/fovea.h"

/*
 * Returns the limit of the option clip_db: the decibels of a squared error of half a code value in the whole frame.
 */
static inline double fv_ssim_db_limit(const FvFormat *format)
{
    double peak = (double)((1 << format->depth) - 1);
    return ceil(10 * fv_log10_exact(peak * peak / (0.5 / ((double)format->width * format->height))));
}

/* Returns a score in decibels. A score above 1 has no logarithm and returns the limit. */
static inline double fv_ssim_db(double score, double limit)
{
    double value = -10 * fv_log10_exact(1 - score);
    return value < limit ? value : limit;
}

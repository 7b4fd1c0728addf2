/* Scores of the SSIM family in decibels. */
#pragma once

#include <math.h>

#include "arith/exact.h"
#include "fovea/fovea.h"

/* The limit of clip_db: the decibels of half a squared code value in the whole picture. */
static inline double fv_ssim_db_limit(const FvFormat *format)
{
    double peak = (double)((1 << format->depth) - 1);
    return ceil(10 * fv_log10_exact(peak * peak / (0.5 / ((double)format->width * format->height))));
}

/* A score above 1 has no logarithm and gives the limit. */
static inline double fv_ssim_db(double score, double limit)
{
    double value = -10 * fv_log10_exact(1 - score);
    return value < limit ? value : limit;
}

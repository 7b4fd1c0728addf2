/*
 * Common parts of the metrics that need only one video. They measure the distorted video and, if there is one, the
 * reference.
 */
#pragma once

#include "feature/check.h"
#include "metric/metric.h"
#include "metric/missing.h"

/* A table of outputs with a second half for the reference. LIST(suffix, text) expands to the outputs of one half. */
#define FV_CHECK_OUTPUTS(LIST)                                                                                       \
    {                                                                                                                \
        LIST("", ""), LIST("_ref", ", of the reference")                                                             \
    }

/* Declares which outputs of each side exist in this instance; bit i: output i of the half. */
static inline void fv_check_present(FvMetricInstance *run, uint64_t outputs)
{
    const int half = run->metric->info.output_count / FV_CHECK_SIDES;
    run->present = outputs | (run->has_reference ? outputs << half : 0);
}

static inline int fv_check_sides(const FvMetricInstance *run)
{
    return run->has_reference ? 2 : 1;
}

static inline const FvFormat *fv_check_side(const FvMetricInstance *run, int side)
{
    return side ? &run->ref : &run->dis;
}

extern const FvMetric fv_metric_black;

/* Options that decide only which events are reported, so they are not part of the feature. */
typedef struct FvFreezeRule {
    int noise, peak, drift;
    double time, repeat_time;
} FvFreezeRule;

typedef struct FvBlackRule {
    FvBlackOptions feature;
    int share, flat_spread;
    double time, flat_time, bars_time;
} FvBlackRule;

typedef struct FvLevelsRule {
    int illegal_share;
    double illegal_time;
} FvLevelsRule;

typedef struct FvFlashRule {
    FvFlashOptions feature;
    int step, dark, area;
} FvFlashRule;

typedef struct FvScanRule {
    int comb_pixels;
    double comb_time;
} FvScanRule;

/* ---- Flashes: WCAG 2.2 and ITU-R BT.1702 ---------------------------------------------------------------------- */

enum { FV_FLASH_LUMINANCE, FV_FLASH_RED, FV_FLASH_KINDS };

/* The recent transitions of every cell, from frame to frame. */
typedef struct FvFlashes FvFlashes;

/* Returns NULL if memory runs out. Free the result with fv_flashes_close(). */
FvFlashes *fv_flashes_open(const FvFlashRule *rule, const FvFormat *format);
void fv_flashes_close(FvFlashes *flashes);

/*
 * Adds the terms of the next frame. transitions[kind]: the maximum number of changes in the last second that enough
 * cells have; the option `area` says how many are enough.
 */
void fv_flashes_next(FvFlashes *flashes, const FvTerm *terms, int transitions[FV_FLASH_KINDS]);

/* Returns the frame rate in frames per second, rounded; 25 if it is unknown. */
int fv_check_rate(const FvFormat *format);

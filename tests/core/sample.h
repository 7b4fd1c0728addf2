/*
 * Features and metrics that exist to test the session, for 8-bit video.
 *  rows    the sum of each row of distorted luma, times `weight`; term: all together. Map: the weighted samples
 *  moment  reads no pixels but the memory of rows: the sums, times the number of the row from 1, modulo 2^32
 *  change  of reference luma from `back` frames before, in every frame, skipped or not
 */
#pragma once

#include <stdatomic.h>

#include "metric/metric.h"

typedef struct SampleOptions {
    int weight, back, ahead, behind;
    const char *file;
} SampleOptions;

extern FvFeature sample_rows, sample_moment, sample_change;

/* How often the CPU began a frame of each, and a map. */
extern atomic_int sample_rows_jobs, sample_moment_jobs, sample_change_jobs, sample_map_jobs;

/* Whether the kernels make maps; otherwise the CPU has to. */
extern bool sample_gpu_maps;

/* Whether the feature `rows` saw in its last initialization that its map is wanted. */
extern bool sample_maps_known;

/* rows and moment, of options.weight; a map. */
extern const FvMetric sample_still;
/* moment and change: from the rows of [frame - behind, frame + ahead] all that can be seen, and the sum over the
 * clip. */
extern const FvMetric sample_window;
/* Needs no features and no pixels: the number of the frame, plus a half. */
extern const FvMetric sample_blind;

/* Opens a metric in a session. text: options, or NULL. */
FvStatus sample_add(FvSession *session, const FvMetric *metric, const char *text, FvError *error);

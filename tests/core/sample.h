/*
 * Features and metrics for 8-bit video that exist to test the session.
 *  rows    the sum of each row of distorted luma, times `weight`; term: the sum of all rows; map: weighted samples
 *  moment  reads no pixels, but the memory of `rows`: the sums, times the row's number from 1, modulo 2^32
 *  change  change of reference luma over `back` frames, in every frame, even if it is skipped
 */
#pragma once

#include <stdatomic.h>

#include "metric/metric.h"

typedef struct SampleOptions {
    int weight, back, ahead, behind;
    const char *file;
} SampleOptions;

extern FvFeature sample_rows, sample_moment, sample_change;

/* Numbers of frames that the CPU began for each feature, and of maps that it began. */
extern atomic_int sample_rows_jobs, sample_moment_jobs, sample_change_jobs, sample_map_jobs;

/* true: the kernels make maps; false: the CPU has to. */
extern bool sample_gpu_maps;

/* true: `rows` knew, when it was last initialised, that its map is wanted. */
extern bool sample_maps_known;

/* Needs the features `rows` and `moment`, and passes its weight to them. It has a map. */
extern const FvMetric sample_still;
/* Needs the features `moment` and `change`. Scores all rows of [frame - behind, frame + ahead] that it gets, and the
 * sum over the clip. */
extern const FvMetric sample_window;
/* Needs no features and no pixels. Its score is the frame's number plus a half. */
extern const FvMetric sample_blind;

/* Adds a metric to a session. text: its options, or NULL. */
FvStatus sample_add(FvSession *session, const FvMetric *metric, const char *text, FvError *error);

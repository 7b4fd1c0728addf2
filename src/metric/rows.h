/* Rows of raw terms: each frame adds a row, and scores are computed from rows. */
#pragma once

#include "device/feature.h"

/* The rows of a session or of merged parts of one: a row for every frame that was pushed, skipped ones included. */
typedef struct FvRowTable {
    int width;               /* terms of one row */
    int offset[FV_MAX_RUNS]; /* offset of each feature instance's terms in a row; -1: they are not kept */
    bool every[FV_MAX_RUNS]; /* the run has terms of skipped frames too */
    int64_t count, capacity; /* rows */
    FvTerm *terms;           /* `width` terms for each row */
    int64_t *number;         /* the caller's number of each frame */
    bool *skipped;
    bool *lost; /* frames without terms, which also count as skipped; NULL: all frames have terms */
} FvRowTable;

/* Reserves a row for the next frame; *row is its terms, zeroed. It counts when fv_rows_commit is called. */
FvStatus fv_rows_reserve(FvRowTable *table, FvTerm **row, FvError *error);
void fv_rows_commit(FvRowTable *table, int64_t number, bool skipped);

/* Marks a committed row as one without terms. */
FvStatus fv_rows_lose(FvRowTable *table, int64_t row, FvError *error);

/* Returns whether a row of [first, last] was lost. */
bool fv_rows_lack(const FvRowTable *table, int64_t first, int64_t last);

void fv_rows_free(FvRowTable *table);

/* The rows as one metric sees them. */
typedef struct FvRows {
    const FvRowTable *table;
    const int *run;      /* feature instance of each request of the metric */
    int64_t first, last; /* the frames that the metric may see */
} FvRows;

/*
 * Returns the terms of request `want` (FvMetric.features) at `frame`. NULL: the frame does not exist, is outside the
 * window that the metric declares, or was skipped and the feature is not computed for skipped frames.
 */
const FvTerm *fv_rows_at(const FvRows *rows, int want, int64_t frame);

/* The rows as a metric inside a model sees them: its wants begin at `want` of the model's. */
FvRows fv_rows_from(const FvRows *rows, int want);

/* Rows of raw terms: each frame adds one row, and scores are computed from the rows. */
#pragma once

#include "device/feature.h"

/* The rows of a session or of merged shards: one row for every pushed frame, including skipped ones. */
typedef struct FvRowTable {
    int width;                    /* number of terms per row */
    int offset[FV_MAX_INSTANCES]; /* offset of each feature instance's terms in a row; -1: the terms are not stored */
    bool every[FV_MAX_INSTANCES]; /* the feature instance has terms of skipped frames as well */
    int64_t count, capacity;      /* number of rows */
    FvTerm *terms;                /* `width` terms for each row */
    int64_t *number;              /* the caller's number of each frame */
    bool *skipped;
    bool *lost; /* frames whose terms are missing and that count as skipped; NULL: none */
} FvRowTable;

/*
 * Reserves a row for the next frame; *row receives its terms, all zero. The row counts only after fv_rows_commit().
 */
FvStatus fv_rows_reserve(FvRowTable *table, FvTerm **row, FvError *error);
void fv_rows_commit(FvRowTable *table, int64_t number, bool skipped);

/* Marks a committed row as lost: it has no terms. */
FvStatus fv_rows_lose(FvRowTable *table, int64_t row, FvError *error);

/* Returns whether a row of [first, last] was lost. */
bool fv_rows_lack(const FvRowTable *table, int64_t first, int64_t last);

void fv_rows_free(FvRowTable *table);

/* The rows that one metric may read. */
typedef struct FvRows {
    const FvRowTable *table;
    const int *run;      /* index of the feature instance of each request of the metric */
    int64_t first, last; /* the frames that the metric may read */
} FvRows;

/*
 * Returns the terms of request `want` (FvMetric.features) at `frame`. Returns NULL if the frame does not exist, is
 * outside the metric's window, or was skipped and the feature is not computed for skipped frames.
 */
const FvTerm *fv_rows_at(const FvRows *rows, int want, int64_t frame);

/* Returns the rows for a metric inside a model, whose requests start at request `want` of the model. */
FvRows fv_rows_from(const FvRows *rows, int want);

/* Joins scores and votes of the same stimuli from two tables. docs/correlate.md */
#pragma once

#include "cli/args.h"
#include "correlate/grid.h"
#include "fovea/fovea.h"

#define PANEL_SCORES 256 /* maximum number of scores */

typedef struct PanelParams {
    const ArgList *scores;                             /* names of columns; empty: all columns that hold numbers */
    const ArgList *where;                              /* conditions "COLUMN=VALUE" on rows */
    const char *score_key, *key, *vote, *ci, *content; /* names of columns; NULL: the columns with usual names */
} PanelParams;

typedef struct Panel {
    int count; /* number of stimuli */
    /* names of each stimulus and its content; content_name NULL: contents are unknown */
    const char **stimulus, **content_name;
    double *vote, *half; /* vote, and half the width of its confidence interval; half NULL: unknown */
    int *content;
    int score_count, content_count;
    const char *score[PANEL_SCORES];
    double *value[PANEL_SCORES];
    /* the step that compared keys ("base name"); names of the columns used */
    const char *joined_by, *key_name, *vote_name;
    int unmatched_scores, unmatched_votes, left_out;
    bool no_intervals, wide_limits; /* warnings: a half width is missing; limits do not enclose the vote */
} Panel;

/*
 * Joins two open tables, which keep the texts and must stay open as long as the panel. On failure, prints a message
 * and returns its status. Call panel_close in any case.
 */
FvStatus panel_open(Panel *panel, const Grid *scores, const Grid *votes, const PanelParams *params);

void panel_close(Panel *panel);

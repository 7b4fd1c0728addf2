/* Scores and votes of the same stimuli, joined from two tables. docs/correlate.md */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"
#include "result/grid.h"

#define PANEL_SCORES 256

typedef struct PanelParams {
    const ArgList *scores;                             /* names of columns; none: all that hold numbers */
    const ArgList *where;                              /* "COLUMN=VALUE" */
    const char *score_key, *key, *vote, *ci, *content; /* names of columns; NULL: found by their names */
} PanelParams;

typedef struct Panel {
    int count;                             /* of stimuli */
    const char **stimulus, **content_name; /* of each; content_name: NULL where contents are not known */
    double *vote, *half;                   /* half: NULL where intervals are not known */
    int *content;
    int score_count, content_count;
    const char *score[PANEL_SCORES];
    double *value[PANEL_SCORES];
    const char *joined_by, *key_name, *vote_name; /* how keys were compared; names of columns */
    int unmatched_scores, unmatched_votes, left_out;
    bool no_intervals, wide_limits; /* warnings: a half width is missing; limits do not enclose the vote */
} Panel;

/* Joins two open tables, whose texts stay theirs. A status after a message; panel_close in any case. */
FvStatus panel_open(Panel *panel, const Grid *scores, const Grid *votes, const PanelParams *params);

void panel_close(Panel *panel);

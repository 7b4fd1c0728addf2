/* Tables of encodes, for curves of quality over bit rate: a column of rates and one for each score. */
#pragma once

#include "fovea/fovea.h"

#define POINTS_SCORES 64

typedef struct Points {
    const char *path;
    char *text; /* that the names lie in */
    const char *score[POINTS_SCORES];
    int score_count;
    int count;        /* rows */
    double *rate;     /* of each row */
    double *quality;  /* of each row, score after score */
    int *resolution;  /* of each row; a row without one has 0 */
    bool resolutions; /* there is such a column */
} Points;

/*
 * Reads a table of values with commas between them. Its first line names the columns: "bitrate", optionally
 * "resolution", whose values are any words, and the scores. Blank lines and lines that begin with '#' are left out.
 * An exit code, after a message; points_close in any case.
 */
int points_open(Points *points, const char *path);
void points_close(Points *points);

/* The place of a score, or -1. */
int points_find(const Points *points, const char *score);

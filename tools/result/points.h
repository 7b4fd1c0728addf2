/* Tables of encodes, for curves of quality over bit rate: a column of rates and one for each score. */
#pragma once

#include "document.h"
#include "fovea/fovea.h"

#define POINTS_SCORES 64

typedef struct Points {
    const char *path;
    char *text; /* that the names lie in, or */
    FvDocument document;
    const char *score[POINTS_SCORES];
    int score_count;
    int count;        /* rows */
    double *rate;     /* of each row */
    double *quality;  /* of each row, score after score */
    int *resolution;  /* of each row; a row without one has 0 */
    bool resolutions; /* there is such a column */
    bool report;      /* of fovea score: it has scores of every kind */
} Points;

/*
 * Reads a table of values with commas between them. Its first line names the columns: "bitrate", optionally
 * "resolution", whose values are any words, and the scores. Blank lines and lines that begin with '#' are left out.
 *
 * Or reads what fovea score writes of many encodes as JSON: the bit rates in kbit/s, and the means of all scores.
 * Encodes that were not scored whole are left out with a warning.
 *
 * An exit code, after a message; points_close in any case.
 */
int points_open(Points *points, const char *path);
void points_close(Points *points);

/* The place of a score, or -1. */
int points_find(const Points *points, const char *score);

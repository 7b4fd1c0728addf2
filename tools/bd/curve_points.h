/* The encodes of curves of quality over bit rate: each is a point, with a value of every score. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

#define POINTS_SCORES 256 /* maximum number of scores, and of resolutions */

/* The facts that reports must share for their scores to be compared. */
typedef enum PointsFact {
    FACT_NUMERICS,
    FACT_REFERENCE,
    FACT_PICTURES,
    FACT_FRAMES,
    FACT_NUMBERS,
    FACT_COUNT
} PointsFact;

typedef struct Point {
    double rate;
    int resolution;                /* index in Points.resolution */
    int line;                      /* line of the table that states it; 0: no table does */
    double quality[POINTS_SCORES]; /* value of each score */
} Point;

/* The points of one side of the comparison. It owns every text. */
typedef struct Points {
    const char *path; /* path as the user gave it */
    ArgList files;    /* files that were read */
    char *score[POINTS_SCORES];
    char *metric[POINTS_SCORES]; /* metric of each score, in words; NULL: unknown */
    int score_count;
    Point *point;
    int count;
    char *resolution[POINTS_SCORES]; /* each resolution, such as "1920x1080" */
    int resolution_count;
    bool resolutions;       /* every point has a resolution */
    bool report;            /* the points come from reports of fovea score, which have scores of every kind */
    char *fact[FACT_COUNT]; /* each fact in words, such as "the reference a.mkv"; NULL: unknown */
    const char *witness;    /* the file that states the facts and the metrics of the scores */
} Points;

/* Returns the index of a score, or -1. */
int points_find(const Points *points, const char *score);

/* Adds a score whose metric is unknown. On failure, prints a message and returns its status. */
FvStatus points_add_score(Points *points, const char *score);

/*
 * Adds a point with a value of each score. `resolution`: in words, or NULL. On failure, prints a message and returns
 * its status.
 */
FvStatus points_add(Points *points, double rate, const char *resolution, const double *quality);

/*
 * Stores in `*place` what a file states, as a fact or as the metric of a score. `words` belong to the points from
 * then on. They must equal what earlier files stated. On failure, prints a message and returns its status.
 */
FvStatus points_state(Points *points, char **place, const char *file, char *words);

/*
 * Checks that both sides have the same facts, and the same metrics for the scores that both have. On failure, prints
 * a message and returns its status.
 */
FvStatus points_agree(const Points sides[2]);

void points_close(Points *points);

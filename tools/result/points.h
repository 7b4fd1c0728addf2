/* Encodes for curves of quality over bit rate: each is a point, with a value of every score. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

#define POINTS_SCORES 256

/* What all reports have in common whose scores are compared. */
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
    int resolution;                /* equal ones are equal */
    double quality[POINTS_SCORES]; /* of each score */
} Point;

/* What the points of a side have. Every text is owned. */
typedef struct Points {
    const char *path; /* as it was given */
    ArgList files;    /* that were read */
    char *score[POINTS_SCORES];
    char *metric[POINTS_SCORES]; /* of each score, in words; NULL: not known */
    int score_count;
    Point *point;
    int count;
    char *resolution[POINTS_SCORES]; /* such as "1920x1080" */
    int resolution_count;
    bool resolutions;       /* every point has one */
    bool report;            /* of fovea score: it has scores of every kind */
    char *fact[FACT_COUNT]; /* in words: "the reference a.mkv"; NULL: not known */
    const char *witness;    /* the file that says so, and of what metrics the scores are */
} Points;

/* The place of a score, or -1. */
int points_find(const Points *points, const char *score);

/* Adds a score whose metric is not known. A status after a message. */
FvStatus points_add_score(Points *points, const char *score);

/* Adds a point with a quality for each score. `resolution`: in words, or NULL. A status after a message. */
FvStatus points_add(Points *points, double rate, const char *resolution, const double *quality);

/*
 * Keeps what a file says, in words that are freed with the points, as a fact or the metric of a score. It has to
 * equal the fact of the files before. A status after a message.
 */
FvStatus points_state(Points *points, char **place, const char *file, char *words);

/* Whether the facts, and the metrics of the scores that both have, are the same. A status after a message. */
FvStatus points_agree(const Points sides[2]);

void points_close(Points *points);

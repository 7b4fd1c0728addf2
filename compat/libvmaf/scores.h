/*
 * The scores: for each name a series of numbers, one per picture. Names are in the order in which they first
 * appeared.
 */
#pragma once

#include <stdbool.h>
#include <time.h>

/* The scores of one name, by ascending indices; indices without a score are left out. */
typedef struct LvSeries {
    char *name;
    int count, room;
    struct LvScore {
        unsigned index;
        double value;
    } * score;
} LvSeries;

typedef struct LvAggregate {
    const char *name; /* a constant, or owned by a session that lives as long as the scores */
    double value;
} LvAggregate;

typedef struct LvScores {
    LvSeries *series;
    int count, room;
    LvAggregate *aggregate;
    int aggregates;
    /* processor time before the first picture, which the context notes, and after the last score */
    clock_t begin, end;
} LvScores;

/* Adds a score. -EINVAL, after a warning: the name already has a score at this index. */
int lv_scores_add(LvScores *scores, const char *name, double value, unsigned index);

const LvSeries *lv_scores_find(const LvScores *scores, const char *name);
bool lv_series_at(const LvSeries *series, unsigned index, double *value);

/* Summarises all scores of a series. false: it has none, or `series` is NULL. */
bool lv_series_summary(const LvSeries *series, double *mean, double *least, double *greatest);

/* Gets a score. -EINVAL: there is none. */
int lv_scores_get(const LvScores *scores, const char *name, double *value, unsigned index);

/* Adds a score of the clip, unless it exists. */
int lv_scores_add_aggregate(LvScores *scores, const char *name, double value);

void lv_scores_free(LvScores *scores);

#include "scores.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

/* Returns the position of the first score with this index or a greater one. */
static int place_of(const LvSeries *series, unsigned index)
{
    int low = 0, high = series->count;
    if (high && series->score[high - 1].index < index)
        return high;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (series->score[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool lv_series_at(const LvSeries *series, unsigned index, double *value)
{
    int place = series ? place_of(series, index) : 0;
    if (!series || place == series->count || series->score[place].index != index)
        return false;
    *value = series->score[place].value;
    return true;
}

bool lv_series_summary(const LvSeries *series, double *mean, double *least, double *greatest)
{
    if (!series || !series->count)
        return false;
    double sum = 0;
    *least = *greatest = series->score[0].value;
    for (int i = 0; i < series->count; i++) {
        double value = series->score[i].value;
        sum += value;
        *least = value < *least ? value : *least;
        *greatest = value > *greatest ? value : *greatest;
    }
    *mean = sum / series->count;
    return true;
}

const LvSeries *lv_scores_find(const LvScores *scores, const char *name)
{
    for (int i = 0; i < scores->count; i++)
        if (!strcmp(scores->series[i].name, name))
            return &scores->series[i];
    return NULL;
}

int lv_scores_get(const LvScores *scores, const char *name, double *value, unsigned index)
{
    return lv_series_at(lv_scores_find(scores, name), index, value) ? 0 : -EINVAL;
}

static LvSeries *find_or_make(LvScores *scores, const char *name)
{
    LvSeries *found = (LvSeries *)lv_scores_find(scores, name);
    if (found)
        return found;
    if (scores->count == scores->room) {
        int room = scores->room ? 2 * scores->room : 16;
        LvSeries *grown = realloc(scores->series, (size_t)room * sizeof *grown);
        if (!grown)
            return NULL;
        scores->series = grown;
        scores->room = room;
    }
    char *copy = strdup(name);
    if (!copy)
        return NULL;
    scores->series[scores->count] = (LvSeries){.name = copy};
    return &scores->series[scores->count++];
}

static int insert(LvSeries *series, unsigned index, double value)
{
    int place = place_of(series, index);
    if (place < series->count && series->score[place].index == index) {
        lv_log(VMAF_LOG_LEVEL_WARNING, "feature \"%s\" of picture %u has a value already", series->name, index);
        return -EINVAL;
    }
    if (series->count == series->room) {
        if (series->room > INT_MAX / 2)
            return -ENOMEM;
        int room = series->room ? 2 * series->room : 64;
        struct LvScore *grown = realloc(series->score, (size_t)room * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        series->score = grown;
        series->room = room;
    }
    memmove(&series->score[place + 1], &series->score[place],
            (size_t)(series->count - place) * sizeof *series->score);
    series->score[place] = (struct LvScore){index, value};
    series->count++;
    return 0;
}

int lv_scores_add(LvScores *scores, const char *name, double value, unsigned index)
{
    LvSeries *series = find_or_make(scores, name);
    int failed = series ? insert(series, index, value) : -ENOMEM;
    scores->end = clock();
    return failed;
}

int lv_scores_add_aggregate(LvScores *scores, const char *name, double value)
{
    for (int i = 0; i < scores->aggregates; i++)
        if (!strcmp(scores->aggregate[i].name, name))
            return 0;
    LvAggregate *grown = realloc(scores->aggregate, (size_t)(scores->aggregates + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    scores->aggregate = grown;
    scores->aggregate[scores->aggregates++] = (LvAggregate){name, value};
    return 0;
}

void lv_scores_free(LvScores *scores)
{
    for (int i = 0; i < scores->count; i++) {
        free(scores->series[i].name);
        free(scores->series[i].score);
    }
    free(scores->series);
    free(scores->aggregate);
    *scores = (LvScores){.series = NULL};
}

#include "bd/curve_points.h"

#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "scoring/encodes.h"

static FvStatus lack_memory(const Points *points)
{
    return report_error(FV_ERROR_MEMORY, "out of memory while reading %s", points->path);
}

int points_find(const Points *points, const char *score)
{
    for (int i = 0; i < points->score_count; i++)
        if (!strcmp(points->score[i], score))
            return i;
    return -1;
}

FvStatus points_add_score(Points *points, const char *score)
{
    const int i = points->score_count;
    if (i == POINTS_SCORES)
        return report_error(FV_ERROR_INPUT, "%s has more than %d scores", points->path, POINTS_SCORES);
    points->score[i] = strdup(score);
    points->score_count += points->score[i] != NULL;
    return points->score[i] ? FV_OK : lack_memory(points);
}

/* Finds the number of a resolution, which it adds if it is new. Equal words have equal numbers. */
static FvStatus find_resolution(Points *points, const char *word, int *number)
{
    int i = 0;
    while (i < points->resolution_count && strcmp(points->resolution[i], word))
        i++;
    *number = i;
    if (i == POINTS_SCORES)
        return report_error(FV_ERROR_INPUT, "%s has more than %d resolutions", points->path, POINTS_SCORES);
    if (i < points->resolution_count)
        return FV_OK;
    points->resolution[i] = strdup(word);
    points->resolution_count += points->resolution[i] != NULL;
    return points->resolution[i] ? FV_OK : lack_memory(points);
}

FvStatus points_add(Points *points, double rate, const char *resolution, const double *quality)
{
    Point *grown = realloc(points->point, ((size_t)points->count + 1) * sizeof *grown);
    if (!grown)
        return lack_memory(points);
    points->point = grown;
    Point *point = &grown[points->count++];
    *point = (Point){.rate = rate};
    memcpy(point->quality, quality, (size_t)points->score_count * sizeof *quality);
    return resolution ? find_resolution(points, resolution, &point->resolution) : FV_OK;
}

static FvStatus compare_texts(const char *file, const char *other, const char *text, const char *other_text)
{
    if (!text || !other_text || !strcmp(text, other_text))
        return FV_OK;
    return report_error(FV_ERROR_INPUT, "%s has %s, and %s has %s: leave one out, or score both alike", file, text,
                        other, other_text);
}

FvStatus points_state(Points *points, char **place, const char *file, char *words)
{
    const FvStatus status = words ? compare_texts(file, points->witness, words, *place) : lack_memory(points);
    points->witness = points->witness ? points->witness : file;
    if (*place)
        free(words);
    else
        *place = words;
    return status;
}

FvStatus points_agree(const Points sides[2])
{
    const Points *a = &sides[0], *b = &sides[1];
    FvStatus status = FV_OK;
    for (int i = 0; i < FACT_COUNT && !status; i++)
        status = compare_texts(b->witness, a->witness, b->fact[i], a->fact[i]);
    for (int i = 0; i < a->score_count && !status; i++) {
        const int other = points_find(b, a->score[i]);
        if (other >= 0)
            status = compare_texts(b->witness, a->witness, b->metric[other], a->metric[i]);
    }
    return status;
}

void points_close(Points *points)
{
    for (int i = 0; i < points->score_count; i++) {
        free(points->score[i]);
        free(points->metric[i]);
    }
    for (int i = 0; i < points->resolution_count; i++)
        free(points->resolution[i]);
    for (int i = 0; i < FACT_COUNT; i++)
        free(points->fact[i]);
    encodes_free(&points->files);
    free(points->point);
    *points = (Points){0};
}

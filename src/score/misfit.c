#include "score/misfit.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "picture/colour.h"

#define MOST 12 /* maximum number of misfits of one pair */

void fv_misfit_note(FvComparison *comparison, const char *remedy, const char *what, ...)
{
    FvMisfit *misfit = &comparison->misfit;
    va_list args;
    va_start(args, what);
    vsnprintf(misfit->what, sizeof misfit->what, what, args);
    va_end(args);
    snprintf(misfit->remedy, sizeof misfit->remedy, "%s", remedy);
}

/* A pair on which remedies are tried. */
typedef struct Trial {
    FvScoreParams params;
    FvSourceInfo info[2];
} Trial;

/* Rotates the frames as players do. */
static void turn(FvSourceInfo *info)
{
    FvFormat *format = &info->format;
    if (info->display_rotation % 180) {
        const int width = format->width, aspect = info->aspect_num;
        format->width = format->height;
        format->height = width;
        info->aspect_num = info->aspect_den;
        info->aspect_den = aspect;
    }
    info->display_rotation = 0;
}

/* Applies one parameter of a remedy. */
static void apply(Trial *trial, const FvMisfit *misfit, const char *remedy)
{
    static const struct {
        const char *name;
        size_t flag;
    } flags[] = {{"ignore_rate", offsetof(FvScoreParams, ignore_rate)},
                 {"ignore_range", offsetof(FvScoreParams, ignore_range)},
                 {"ignore_fields", offsetof(FvScoreParams, ignore_fields)},
                 {"shortest", offsetof(FvScoreParams, shortest)}};
    static const struct {
        const char *name;
        unsigned bit;
    } conversions[] = {{"convert=range", FV_CONVERT_RANGE},
                       {"convert=matrix", FV_CONVERT_MATRIX},
                       {"convert=chroma", FV_CONVERT_CHROMA},
                       {"convert=depth", FV_CONVERT_DEPTH}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(remedy, flags[i].name))
            *(bool *)((char *)&trial->params + flags[i].flag) = true;
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (!strcmp(remedy, conversions[i].name))
            trial->params.convert |= conversions[i].bit;
    /* Removes this tag only, so that the other tags are still checked. */
    if (!strcmp(remedy, "ignore_colour")) {
        const FvFormat *ref = &trial->info[FV_REFERENCE].format;
        FvFormat *dis = &trial->info[FV_DISTORTED].format;
        dis->transfer = !strncmp(misfit->what, "transfers", 9) ? ref->transfer : dis->transfer;
        dis->primaries = !strncmp(misfit->what, "primaries", 9) ? ref->primaries : dis->primaries;
        dis->matrix = !strncmp(misfit->what, "matrices", 8) ? ref->matrix : dis->matrix;
    }
    if (!strcmp(remedy, "align=time"))
        trial->params.align = FV_ALIGN_BY_TIME;
    if (!strcmp(remedy, "scale=dis"))
        trial->params.scale.to = FV_SCALE_DISTORTED;
    if (!strcmp(remedy, "stretch"))
        trial->params.scale.fit = FV_FIT_STRETCH;
    if (!strcmp(remedy, "pad"))
        trial->params.scale.fit = FV_FIT_PAD;
    for (int side = 0; side < 2; side++) {
        static const char *const members[] = {"reference.", "distorted."};
        const char *tag = !strncmp(remedy, members[side], 10) ? remedy + 10 : "";
        FvFormat *format = &trial->info[side].format;
        if (!strcmp(remedy, "rotate=auto"))
            turn(&trial->info[side]);
        if (!strcmp(remedy, "rotate=0")) {
            trial->info[side].display_rotation = 0;
            trial->info[side].mirrored = false;
        }
        if (!strcmp(tag, "range=full"))
            format->range = FV_RANGE_FULL;
        if (!strncmp(tag, "matrix=", 7))
            format->matrix = trial->info[side].named.matrix = fv_colour_code(FV_TAG_MATRIX, tag + 7);
    }
}

/*
 * Lists the parameters of all remedies, each once, with all conversions in one: "`scale=dis` `convert=range,matrix`".
 */
static void join(char *text, size_t size, const FvMisfit *misfits, int count)
{
    char conversions[64] = "", given[1024] = " ";
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < count; i++) {
        char copy[sizeof misfits->remedy], *rest;
        snprintf(copy, sizeof copy, "%s", misfits[i].remedy);
        for (const char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            char marked[sizeof copy + 2];
            snprintf(marked, sizeof marked, " %s ", word);
            if (strstr(given, marked))
                continue;
            snprintf(given + strlen(given), sizeof given - strlen(given), "%s ", word);
            if (!strncmp(word, "convert=", 8))
                snprintf(conversions + strlen(conversions), sizeof conversions - strlen(conversions), "%s%s",
                         *conversions ? "," : "", word + 8);
            else if (used < size)
                used += (size_t)snprintf(text + used, size - used, "%s`%s`", used ? " " : "", word);
        }
    }
    if (*conversions && used < size)
        snprintf(text + used, size - used, "%s`convert=%s`", used ? " " : "", conversions);
}

/* Returns whether frames pair by index although the containers state different lengths. */
static bool differ_in_length(const FvComparison *comparison)
{
    const FvScoreParams *params = comparison->params;
    const int64_t ref = comparison->info[FV_REFERENCE]->frames, dis = comparison->info[FV_DISTORTED]->frames;
    return !params->align && !params->shortest && !params->frames && !params->start && !params->duration && ref > 0 &&
           dis > 0 && ref - params->skip_reference != dis - params->skip_distorted;
}

FvStatus fv_misfit_name_all(const FvComparison *comparison, FvStatus (*decide)(FvComparison *, FvError *),
                            FvError *error)
{
    FvMisfit misfits[MOST] = {comparison->misfit};
    FvError last = {0};
    FvStatus status = FV_ERROR_INPUT;
    int count = 1;
    Trial *trial = fv_alloc_zero(sizeof *trial);
    FvComparison *trying = fv_alloc_zero(sizeof *trying);
    while (trial && trying && status && count < MOST && *misfits[count - 1].remedy) {
        char copy[sizeof misfits->remedy], *rest;
        if (count == 1) {
            trial->params = *comparison->params;
            trial->info[FV_REFERENCE] = comparison->own[FV_REFERENCE];
            trial->info[FV_DISTORTED] = comparison->own[FV_DISTORTED];
        }
        snprintf(copy, sizeof copy, "%s", misfits[count - 1].remedy);
        for (const char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            apply(trial, &misfits[count - 1], word);
        *trying = (FvComparison){.params = &trial->params,
                                 .info = {&trial->info[FV_REFERENCE], &trial->info[FV_DISTORTED]}};
        status = decide(trying, &last);
        if (!status && count > 1 && differ_in_length(trying)) {
            fv_misfit_note(trying, "shortest", "lengths of %lld and %lld frames",
                           (long long)trying->info[FV_REFERENCE]->frames,
                           (long long)trying->info[FV_DISTORTED]->frames);
            status = FV_ERROR_INPUT;
        }
        if (status && *trying->misfit.what)
            misfits[count++] = trying->misfit;
        else if (status)
            break;
    }
    fv_free(trying);
    fv_free(trial);
    if (count == 1)
        return error ? error->status : FV_ERROR_INPUT;
    char what[600] = "", remedy[300];
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof what; i++)
        used += (size_t)snprintf(what + used, sizeof what - used, "%s%s", i ? "; " : "", misfits[i].what);
    join(remedy, sizeof remedy, misfits, count);
    return status ? fv_fail(error, FV_FAIL_SEVERAL,
                            "the videos differ in: %s; no option overrides the last; the others need %s", what,
                            *remedy ? remedy : "none")
                  : fv_fail(error, FV_FAIL_SEVERAL, "the videos differ in: %s; to compare them anyway, add %s", what,
                            remedy);
}

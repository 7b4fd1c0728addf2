/*
 * What this machine has shown of its speeds, for the estimates of later sessions (session/speeds.c): text in a file
 * next to the verdicts on GPUs, the speed shown last at the end. No score depends on it.
 */
#pragma once

#include "picture/frame.h"

#define FV_SPEEDS_FIRST "first pair of " /* what begins like this takes seconds, with frames of any size */
#define FV_SPEEDS 512                    /* speeds that are kept: the one shown longest ago goes first */

typedef struct FvSpeed {
    char what[96];            /* a feature, "start", or how frames come (session/speeds.c) */
    char where[300];          /* on which processor */
    int width, height, depth; /* of the frames; 0: any */
    double value;             /* seconds: of a start, else of a sample of luma */
    double weight;            /* of the value against the next one that is shown */
} FvSpeed;

typedef struct FvSpeeds {
    FvSpeed *item; /* room for FV_SPEEDS; NULL: there is no memory, or no folder to keep them in */
    int count;
    bool damaged; /* the file is, and counts for nothing */
    char path[4096];
} FvSpeeds;

/* Free them also where nothing was read. */
void fv_speeds_read(FvSpeeds *speeds);
void fv_speeds_free(FvSpeeds *speeds);

/* With frames of this format, or of the nearest size with as many bytes a sample; format NULL: of none. */
const FvSpeed *fv_speeds_find(const FvSpeeds *speeds, const char *what, const char *where, const FvFormat *format);

/* Where a GPU's speed was shown last whose `where` ends like this; NULL: nowhere. */
const char *fv_speeds_latest(const FvSpeeds *speeds, const char *end);

/* A speed was shown: `what`, `where`, the frames, the value, and its weight. */
void fv_speeds_show(FvSpeeds *speeds, const FvSpeed *shown);

/* What cannot be kept is shown again. Another process may keep its own at the same time: one of both files stays. */
void fv_speeds_keep(const FvSpeeds *speeds);

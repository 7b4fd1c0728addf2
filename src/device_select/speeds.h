/*
 * The measured speeds of this machine, for the estimates of later sessions (session/speeds.c). They are text in a
 * file next to the verdicts on GPUs, the latest measurement last. No score depends on them.
 */
#pragma once

#include "picture/frame.h"

#define FV_SPEEDS_FIRST "first pair of " /* prefix of the names of times that do not depend on the size of frames */
#define FV_SPEEDS 512                    /* maximum number of speeds; the one measured longest ago is removed first */

typedef struct FvSpeed {
    char what[96];            /* a feature, "start", or how frames are read (session/speeds.c) */
    char where[300];          /* name of the processor */
    int width, height, depth; /* size and depth of the frames; 0: any */
    double value;             /* seconds of a start, else seconds per luma sample */
    double weight;            /* weight of the value against the next measurement */
} FvSpeed;

typedef struct FvSpeeds {
    FvSpeed *item; /* room for FV_SPEEDS speeds; NULL: there is no memory, or no folder for the file */
    int count;
    bool damaged; /* the file is damaged and was ignored */
    char path[4096];
} FvSpeeds;

/* Reads the file of speeds. Call fv_speeds_free() afterwards, also if there is no file. */
void fv_speeds_read(FvSpeeds *speeds);
void fv_speeds_free(FvSpeeds *speeds);

/*
 * Finds a speed for frames of this format, or of the nearest size with as many bytes per sample. format NULL: a speed
 * that does not depend on frames.
 */
const FvSpeed *fv_speeds_find(const FvSpeeds *speeds, const char *what, const char *where, const FvFormat *format);

/* Returns the `where` of the latest speed whose `where` ends with `end`, the name of a GPU; NULL: none. */
const char *fv_speeds_latest(const FvSpeeds *speeds, const char *end);

/* Adds a measurement; merges it with the stored speed of the same what, where and frames. */
void fv_speeds_show(FvSpeeds *speeds, const FvSpeed *shown);

/*
 * Stores the speeds. Speeds that cannot be stored will be measured again. If another process stores speeds at the
 * same time, one of the two files remains.
 */
void fv_speeds_keep(const FvSpeeds *speeds);

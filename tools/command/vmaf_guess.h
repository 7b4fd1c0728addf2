/* Guesses how a stored report of libvmaf was computed, by the names of its columns. docs/recheck.md */
#pragma once

#include "cli/args.h"
#include "result/stored.h"

#define GUESSES 32 /* models, and features */

/* A model that has all its features among the columns. */
typedef struct GuessModel {
    char text[128]; /* value for --model */
    char name[96];  /* name of its score in today's run */
    bool collection;
} GuessModel;

/* A column that only a model explains, such as "vmaf"; a collection's columns count as one. */
typedef struct GuessScore {
    const char *name;
    bool collection;
    const GuessModel *model; /* the model whose numbers agree; NULL: not known */
} GuessScore;

typedef struct Guess {
    const Stored *old;
    GuessModel model[GUESSES];
    GuessScore score[GUESSES];
    char feature[GUESSES][512]; /* values for --feature */
    int models, scores, features;
    ArgList model_list, feature_list;
} Guess;

/* Reads the columns into a guess, which has neither models nor features where fovea can score nothing. A status after
 * a message; guess_close in any case. */
FvStatus guess_open(Guess *guess, const Stored *old);

/*
 * Finds for each score the one model that agrees with most of the stored numbers of the first three frames that move,
 * of those before frame `end`. Where motion differs from today's in these frames, scores of models follow it: the
 * model within 0.1 and ten times nearer than any other is taken. `value` gives a number of today under the name of a
 * feature or of a model's score. FV_ERROR_USAGE after a message that lists the models: none or several agree.
 */
FvStatus guess_models(Guess *guess, int64_t end,
                      bool (*value)(void *opaque, const char *name, int64_t frame, double *value), void *opaque);

/* The name under which today's run has the column; `name` where it is the same. */
const char *guess_name(const Guess *guess, const char *name, char *text, size_t size);

/* The name that motion of one frame has beside a model since libvmaf 3.2, of a column `integer_motion`; else `name`.
 */
const char *guess_motion(const char *name, char *text, size_t size);

/* Why today's run has no such score. */
const char *guess_reason(const Stored *old, const char *name);

/* "version=vmaf_v0.6.1, psnr" into `text`. Returns text. */
char *guess_describe(const Guess *guess, char *text, size_t size);

void guess_close(Guess *guess);

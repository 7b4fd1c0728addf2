/* Guesses how a stored report of libvmaf was computed, by the names of its columns. docs/recheck.md */
#pragma once

#include "cli/args.h"
#include "report/stored.h"

#define GUESSES 32 /* maximum number of models, of scores, and of features */

/* A model all of whose features are among the columns. */
typedef struct GuessModel {
    char text[128]; /* value for --model */
    char name[96];  /* name of its score in today's run */
    bool collection;
} GuessModel;

/* A column that only a model can have written, such as "vmaf"; a collection's columns count as one. */
typedef struct GuessScore {
    const char *name;
    bool collection;
    const GuessModel *model; /* the model whose numbers agree; NULL: unknown */
} GuessScore;

typedef struct Guess {
    const Stored *old;
    GuessModel model[GUESSES];
    GuessScore score[GUESSES];
    char feature[GUESSES][512]; /* values for --feature */
    int models, scores, features;
    ArgList model_list, feature_list;
} Guess;

/*
 * Makes a guess from the columns. It has neither models nor features if fovea can score none of them. On failure,
 * prints a message and returns its status. Call guess_close in any case.
 */
FvStatus guess_open(Guess *guess, const Stored *old);

/*
 * Finds for each score the one model that agrees with most of the stored numbers in the first three frames with
 * motion before frame `end`. If motion in these frames differs from today's, the scores of models differ too, so the
 * model is chosen that is within 0.1 and ten times nearer than any other. `value` returns today's number for the name
 * of a feature or of a model's score. If no model or several agree, prints a message that lists the models, and
 * returns FV_ERROR_USAGE.
 */
FvStatus guess_models(Guess *guess, int64_t end,
                      bool (*value)(void *opaque, const char *name, int64_t frame, double *value), void *opaque);

/* Returns the name that a column has in today's run; `name` if it is the same. */
const char *guess_name(const Guess *guess, const char *name, char *text, size_t size);

/*
 * Returns, for a column `integer_motion`, the name that libvmaf has given the motion of one frame beside a model
 * since 3.2; else `name`.
 */
const char *guess_motion(const char *name, char *text, size_t size);

/* Returns why today's run has no score for a column. */
const char *guess_reason(const Stored *old, const char *name);

/* Prints the guess into `text`, "version=vmaf_v0.6.1, psnr", and returns `text`. */
char *guess_describe(const Guess *guess, char *text, size_t size);

void guess_close(Guess *guess);

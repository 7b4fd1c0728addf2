/* Finds a session's score and its pooling, as options name them: "vmaf:p5". */
#pragma once

#include "cli/message.h"
#include "fovea/fovea.h"
#include "json.h"

/*
 * Finds the pool called `name` in `text`, the value of `option`. On failure, prints a message and returns
 * FV_ERROR_USAGE.
 */
FvStatus pick_pool(FvPool *pool, const char *name, const char *option, const char *text);

/*
 * Finds the output of the started session that is called `name` and has `pool`. On failure, prints a message and
 * returns FV_ERROR_USAGE.
 */
FvStatus pick_output(int *output, const FvSession *session, const char *name, FvPool pool, const char *option,
                     const char *text);

/* Returns a pooled value of the scored session; of an output of the whole clip, its only value. */
double pick_value(const FvSession *session, int output, FvPool pool);

/*
 * Writes all pools of an output as members of the open JSON object; of an output of the whole clip, its value as the
 * mean.
 */
void pick_write_pools(FvJson *json, const FvSession *session, int output);

/*
 * Finds in which direction a score is better, by the name that its metric gives it. false: no metric has it, so
 * higher counts as better.
 */
bool pick_better(const char *score, FvBetter *better);

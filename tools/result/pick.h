/* A score of a session and how it is pooled, as options name them: "vmaf:p5". */
#pragma once

#include "cli/message.h"
#include "fovea/fovea.h"
#include "json.h"

/* The pool called `name` in what `option` was given, `text`. FV_ERROR_USAGE after a message. */
FvStatus pick_pool(FvPool *pool, const char *name, const char *option, const char *text);

/*
 * The output of the started session called `name`, which has that pool. FV_ERROR_USAGE after a message.
 */
FvStatus pick_output(int *output, const FvSession *session, const char *name, FvPool pool, const char *option,
                     const char *text);

/* A value of the scored session; of an output of the whole clip its only one. */
double pick_value(const FvSession *session, int output, FvPool pool);

/* All pools of an output as members of the open object; of an output of the whole clip its value as the mean. */
void pick_write_pools(FvJson *json, const FvSession *session, int output);

/* Which way a score is better, by the name that its metric gives it. False: no metric has it; higher counts as
 * better. */
bool pick_better(const char *score, FvBetter *better);

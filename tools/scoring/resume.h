/* Scoring in shards on one machine: on several devices, or so that it can be resumed. */
#ifndef RESUME_H
#define RESUME_H

#include "scoring/scoring.h"

/*
 * As fv_plan_score. `output`: the report, whose shards are kept in the folder OUTPUT.shards; NULL: they stay in
 * memory. Prints no message.
 */
FvStatus resume_score(FvSession **session, const Opened *opened, FvPlanRunParams *params, const char *output,
                      FvError *error);

/* Removes the folder of a report that is written. */
void resume_finish(const char *output);

#endif

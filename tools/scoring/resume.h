/* Scoring in shards on one machine: on several devices, or so that it can be resumed. */
#pragma once

#include "scoring/scoring.h"

/*
 * As fv_plan_score. `output`: the report, whose shards are kept in the folder OUTPUT.shards; NULL: they stay in
 * memory. FV_ERROR_OUTPUT: another process works in that folder. *plan is the caller's to close. Prints no message.
 */
FvStatus resume_score(FvSession **session, FvPlan **plan, const Opened *opened, FvPlanRunParams *params,
                      const char *output, FvError *error);

/* Removes the shards of a report that is written, and their folder if nothing else is in it. */
void resume_finish(const FvPlan *plan, const char *output);

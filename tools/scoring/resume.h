/* fovea score in shards on one machine: on several devices, or so that it can be resumed. */
#ifndef RESUME_H
#define RESUME_H

#include "scoring/scoring.h"

/*
 * As fv_plan_score. `output`: the report, beside which its shards are kept in a folder; NULL: they stay in memory.
 * Errors are not told.
 */
FvStatus resume_score(FvSession **session, const Opened *opened, FvPlanRunParams *params, const char *output,
                      FvError *error);

/* The report is written: its folder is removed. */
void resume_finish(const char *output);

#endif

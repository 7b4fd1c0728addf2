/* Scores in shards on one machine: on several devices, or so that the run can be resumed. */
#pragma once

#include "scoring/scoring.h"

/* The shards of a run. Zeroed: there are none. */
typedef struct Shards {
    FvPlan *plan;
    const char *output; /* the report, whose shards are kept in the folder OUTPUT.shards; NULL: they stay in memory */
    FvPlanHold *hold;   /* holds the folder; NULL without `output` */
} Shards;

/*
 * Plans the shards of an opened run: one for each device of the list, or short ones if the caller set `output`.
 * Prints no message. The caller calls resume_close() in any case.
 */
FvStatus resume_plan(Shards *shards, const Opened *opened, const char *device, FvError *error);

/*
 * Scores the planned shards as fv_plan_score() does. FV_ERROR_OUTPUT: another process works in the folder. Prints no
 * message.
 */
FvStatus resume_score(FvSession **session, Shards *shards, FvPlanRunParams *params, FvError *error);

/* Removes the shards of a report that is written, and their folder if nothing else is in it. */
void resume_finish(const Shards *shards);

void resume_close(Shards *shards);

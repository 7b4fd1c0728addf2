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
 * Scores as fv_plan_score() does, with zeroed shards, of which the caller may have set `output`. FV_ERROR_OUTPUT:
 * another process works in that folder. Prints no message. The caller calls resume_close() in any case.
 */
FvStatus resume_score(FvSession **session, Shards *shards, const Opened *opened, FvPlanRunParams *params,
                      FvError *error);

/* Removes the shards of a report that is written, and their folder if nothing else is in it. */
void resume_finish(const Shards *shards);

void resume_close(Shards *shards);

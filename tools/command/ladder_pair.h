/* One of several pairs, from its opening to its report. Messages name it. */
#pragma once

#include "command/ladder_run.h"

/* `threads` compute it; `shared`: its reference, or NULL. Fills pair->status; job_close in any case. */
void pair_open(Pair *pair, int threads, FvSource *shared);

/* Writes what belongs to the pair alone, and keeps what the table needs. `status`, `error`: of its scores. */
void pair_end(Pair *pair, FvStatus status, const FvError *error);

/* Both for a pair that was scored in shards. A status that concerns all pairs. */
FvStatus pair_merge(Pair *pair);

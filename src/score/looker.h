/* Makes the looks at pairs, in a thread of its own where a GPU scores. docs/doubt.md */
#pragma once

#include "doubt/look.h"
#include "doubt/looks.h"
#include "fovea/fovea.h"

typedef struct FvLooker FvLooker;

/*
 * Opens a looker that appends to `looked`. threads: number of threads that decode ProRes packets. apart: looks are made
 * in another thread, and nothing else may use `looked` before fv_looker_wait().
 */
FvStatus fv_looker_open(FvLooker **looker, FvLooks *looked, int threads, bool apart, FvError *error);

/*
 * Adds a pair, whose frames must be readable by the host, or ProRes packets of which the device has not copied the
 * bytes. signature: as in fv_look_make(). Waits while too many pairs wait. A failure may be that of an earlier pair.
 */
FvStatus fv_looker_add(FvLooker *looker, int64_t number, FvFrame *const frame[2], const int32_t *const signature[2],
                       FvError *error);

/* Waits until the looks at all pairs so far are made. `looker` may be NULL. */
FvStatus fv_looker_wait(FvLooker *looker, FvError *error);

/* Drops pairs that wait. */
void fv_looker_close(FvLooker **looker);

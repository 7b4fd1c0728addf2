/* The frames of a clip that score worst. */
#pragma once

#include "fovea/fovea.h"

/*
 * Numbers of at most `most` frames by the first score of a session that has ended, the worst one first; of equal ones
 * the earlier. Frames whose score is not a number come last. NULL without memory; to be freed. *count: how many.
 */
int64_t *worst_frames(const FvSession *session, int64_t most, int64_t *count);

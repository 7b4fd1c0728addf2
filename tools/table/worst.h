/* Finds the frames of a clip that score worst. */
#pragma once

#include "fovea/fovea.h"

/*
 * Returns the numbers of at most `most` frames, sorted by the first score of a session that has ended: the worst
 * first, of equal ones the earlier, and last those whose score is not a number. Sets *count. The caller frees the
 * list. NULL: out of memory.
 */
int64_t *worst_frames(const FvSession *session, int64_t most, int64_t *count);

/* The report of several encodes, read again. */
#pragma once

#include "json_read.h"
#include "result/ladder.h"

/*
 * Fills an empty ladder from the root of such a report, whose document stays open as long as the ladder. It has no
 * curves and no pictures. A status after a message; ladder_free in any case.
 */
FvStatus ladder_read(Ladder *ladder, const char *path, const FvNode *root);

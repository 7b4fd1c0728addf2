/* Reads a stored report of several encodes. */
#pragma once

#include "json_read.h"
#include "result/ladder.h"

/*
 * Fills an empty ladder, without curves and pictures, from the root of such a report. The caller must keep the
 * document open as long as the ladder. On failure, prints a message and returns its status. Call ladder_free in any
 * case.
 */
FvStatus ladder_read(Ladder *ladder, const char *path, const FvNode *root);

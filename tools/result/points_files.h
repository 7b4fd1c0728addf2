/* The files that the points of a side come from. */
#pragma once

#include "result/points.h"

/*
 * Reads a table of values, the report of many encodes, or the reports of one encode each: all of a folder, or all
 * files that a pattern matches. A status after a message; points_close in any case.
 */
FvStatus points_open(Points *points, const char *path);

/* Finds and reads the files with the points of a side. */
#pragma once

#include "bd/curve_points.h"

/*
 * Reads a table of values, the report of many encodes, or the reports of one encode each: all of a folder, or all
 * files that a pattern matches. On failure, prints a message and returns its status. Call points_close in any case.
 */
FvStatus points_open(Points *points, const char *path);

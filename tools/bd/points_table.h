/* Reads tables of comma-separated values, in which each line is a point. */
#pragma once

#include "bd/curve_points.h"

/*
 * Reads a text, which it changes. The first line names the columns: "bitrate", optionally "resolution", whose values
 * are any words, and the scores. Blank lines and lines that begin with '#' are left out. On failure, prints a message
 * and returns its status.
 */
FvStatus points_read_table(Points *points, char *text);

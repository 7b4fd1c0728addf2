/*
 * Reads JSON reports of fovea score. Each encode is a point: its bit rate in kbit/s, and the means of all scores.
 * Encodes that were not scored completely are left out with a warning. On failure, both functions print a message and
 * return its status.
 */
#pragma once

#include "bd/curve_points.h"

/* Reads the text of a report of many encodes. */
FvStatus points_read_encodes(Points *points, const char *text);

/* Reads points->files, each the report of one encode. */
FvStatus points_read_reports(Points *points);

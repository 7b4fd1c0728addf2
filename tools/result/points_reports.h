/* JSON reports of fovea score, whose encodes are points: bit rates in kbit/s, and the means of all scores. */
#pragma once

#include "result/points.h"

/* Encodes that were not scored whole are left out with a warning. A status after a message. */

/* Reads the text of a report of many encodes. */
FvStatus points_read_encodes(Points *points, const char *text);

/* Reads points->files, each the report of one encode. */
FvStatus points_read_reports(Points *points);

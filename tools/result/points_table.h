/* Tables of values with commas between them, whose lines are points. */
#pragma once

#include "result/points.h"

/*
 * Reads a text, which it changes. The first line names the columns: "bitrate", optionally "resolution", whose values
 * are any words, and the scores. Blank lines and lines that begin with '#' are left out. A status after a message.
 */
FvStatus points_read_table(Points *points, char *text);

/* The table of several encodes, for people. */
#pragma once

#include "result/ladder.h"

/* A row for each encode, then gates and warnings, then details. */
FvStatus ladder_print_table(FILE *file, const Ladder *ladder);

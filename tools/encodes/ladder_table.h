/* Prints the table of several encodes for the terminal. */
#pragma once

#include "encodes/ladder.h"

/* Prints a row for each encode, then gates and warnings, then details. */
FvStatus ladder_print_table(FILE *file, const Ladder *ladder);

/* The scores of several encodes, for programs. docs/loops.md has the forms. */
#pragma once

#include "result/ladder.h"

/* Errors stay in the file. The picks: a line for each encode that was scored whole, with their values and its path.
 */
FvStatus ladder_print_picks(FILE *file, const Ladder *ladder);
FvStatus ladder_write_json(FILE *file, const Ladder *ladder);
FvStatus ladder_write_csv(FILE *file, const Ladder *ladder);

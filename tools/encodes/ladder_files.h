/* Writes the scores of several encodes for other programs; docs/loops.md describes the formats. */
#pragma once

#include "encodes/ladder.h"
#include "json.h"

/*
 * The caller finds write errors by ferror(file). ladder_print_picks prints a line for each encode that was scored
 * completely: the values of --print, and the path.
 */
FvStatus ladder_print_picks(FILE *file, const Ladder *ladder);
FvStatus ladder_write_json(FILE *file, const Ladder *ladder);
FvStatus ladder_write_csv(FILE *file, const Ladder *ladder);

/* Writes all pools of a score as an object; of a score of the whole clip, its value as the mean. */
void ladder_write_pools(FvJson *json, const char *key, const EncodeScore *score);

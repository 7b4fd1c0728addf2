/*
 * Writes the page of several encodes: the encode to ship, bit rate and quality of all, a table, and the worst
 * moments.
 */
#pragma once

#include "encodes/ladder.h"

/* Lists the encodes of which the page shows pictures, the most important first. Returns their number. */
int ladder_pictured(const Ladder *ladder, int list[LADDER_PICTURED]);

/* Chooses the frames that the page shows: the worst ones of the most important encodes. */
void ladder_choose_moments(Ladder *ladder);

/*
 * Writes the page. The caller finds write errors by ferror(file). If memory is exhausted, so that the page lacks
 * decisions, prints a message and returns FV_ERROR_MEMORY.
 */
FvStatus ladder_write_page(FILE *file, const Ladder *ladder);

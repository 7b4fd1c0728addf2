/* The page of several encodes: the one to ship, bits and quality of all, a table, and the worst moments. */
#pragma once

#include "result/ladder.h"

/* The encodes of which the page has pictures, the most important first. Returns how many. */
int ladder_pictured(const Ladder *ladder, int list[LADDER_PICTURED]);

/* Chooses the frames that the page shows: the worst ones of the most important encodes. */
void ladder_choose_moments(Ladder *ladder);

/* Errors of writing stay in the file. FV_ERROR_MEMORY, after a complaint: the page lacks decisions. */
FvStatus ladder_write_page(FILE *file, const Ladder *ladder);

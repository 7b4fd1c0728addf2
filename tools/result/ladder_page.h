/* The page of several encodes: a table, curves over each other, and the worst moments side by side. */
#pragma once

#include "result/ladder.h"

/* Chooses the frames that the page shows, from the curves of the encodes. */
void ladder_choose_moments(Ladder *ladder);

/* Errors stay in the file. Nothing in the page is a script. */
void ladder_write_page(FILE *file, const Ladder *ladder);

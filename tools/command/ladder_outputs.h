/* Writes the results of several pairs: a report of each in a folder, and files, a table or numbers of all. */
#pragma once

#include "command/ladder_run.h"

/* Returns the folder of the reports; NULL: there is none. */
const char *ladder_folder(const Options *options);

/* Returns the n-th file that covers all pairs; NULL: there are fewer. */
const char *ladder_file(const Options *options, int n);

bool ladder_wants_page(const Options *options);

/* Names the reports, and makes their folder, if every output can be written and is none of the videos. */
FvStatus ladder_check_outputs(Run *run);

/* Writes the outputs that cover all encodes. Sets *table if they include the table. */
FvStatus ladder_write_outputs(const Run *run, bool *table);

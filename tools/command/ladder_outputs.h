/* Where the results of several pairs go: a report of each in a folder, and files, a table or numbers of all. */
#pragma once

#include "command/ladder_run.h"

/* The folder of the reports, or NULL. */
const char *ladder_folder(const Options *options);

/* The n-th file of all, or NULL. */
const char *ladder_file(const Options *options, int n);

bool ladder_wants_page(const Options *options);

/* Names the reports, and makes their folder, if every output can be written and is none of the videos. */
FvStatus ladder_check_outputs(Run *run);

/* Writes what is of all. *table: whether that was the table. */
FvStatus ladder_write_outputs(const Run *run, bool *table);

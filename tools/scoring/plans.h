/* The plans of several encodes, in a folder. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

/*
 * Fills a zeroed list with the plans that are meant: the file `path` itself, or in the order of their names all files
 * NAME.json of the folder. A status after a message. encodes_free in any case.
 */
FvStatus plans_list(ArgList *plans, const char *path);

/* FOLDER/NAME for the plan .../NAME.json, or NAME without a folder; to be freed. NULL after a message: memory has run
 * out. */
char *plans_name(const char *plan, const char *folder);

/* Lists the plans of several encodes in a folder. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

/*
 * Fills a zeroed list with the plans that `path` names: the file itself, or all files NAME.json of the folder, in the
 * order of their names. On failure, prints a message and returns its status. Call encodes_free in any case.
 */
FvStatus plans_list(ArgList *plans, const char *path);

/*
 * Returns FOLDER/NAME for the plan .../NAME.json, or NAME if `folder` is NULL; the caller frees it. If memory is
 * exhausted, prints a message and returns NULL.
 */
char *plans_name(const char *plan, const char *folder);

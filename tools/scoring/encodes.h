/* The distorted videos that the command line names. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

/*
 * Fills a zeroed list: names of files stay as they are, and a pattern (*, ?, [...]) that names no file becomes the
 * names that it matches, in order, if there are any. A status after a message. encodes_free in any case.
 */
FvStatus encodes_list(ArgList *encodes, const ArgList *given);

/*
 * Makes a zeroed list of paths, one for each encode in order: FOLDER/ENCODE.ENDING, after the last part of the
 * encode's path. FV_ERROR_USAGE: two encodes have one name. Makes the folder. encodes_free in any case.
 */
FvStatus encodes_name(ArgList *paths, const ArgList *encodes, const char *folder, const char *ending);

/* Adds a name, which the list owns then. FV_ERROR_MEMORY after a message: it is NULL. */
FvStatus encodes_take(ArgList *encodes, char *name);

/* Free a list, and its names. */
void encodes_free(ArgList *encodes);

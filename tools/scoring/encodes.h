/* Lists the distorted videos that the command line names. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

/*
 * Fills a zeroed list: file names are copied, and a pattern (*, ?, [...]) that is no file's name is replaced by the
 * names that it matches, in order, if there are any. On failure, prints a message and returns its status. Call
 * encodes_free in any case.
 */
FvStatus encodes_list(ArgList *encodes, const ArgList *given);

/*
 * Makes a zeroed list of paths, one for each encode in order: FOLDER/ENCODE.ENDING, where ENCODE is the last part of
 * the encode's path. Creates the folder. FV_ERROR_USAGE: two encodes have the same name. Call encodes_free in any
 * case.
 */
FvStatus encodes_name(ArgList *paths, const ArgList *encodes, const char *folder, const char *ending);

/*
 * Adds a name, which the list then owns. If `name` is NULL, or memory is exhausted, prints a message and returns
 * FV_ERROR_MEMORY.
 */
FvStatus encodes_take(ArgList *encodes, char *name);

/* Frees a list and its names. */
void encodes_free(ArgList *encodes);

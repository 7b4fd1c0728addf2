/* Lists the files of folders, and pairs the files of two folders by their names. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

bool folders_is_one(const char *path);

/*
 * Adds the paths of a folder's files in the order of their names: those that end with `ending` and are not hidden.
 * FV_ERROR_INPUT: one is neither a regular file nor a folder, or cannot be examined. On failure, prints a message and
 * returns its status. Call encodes_free in any case.
 */
FvStatus folders_list(ArgList *files, const char *folder, const char *ending);

/*
 * Fills two zeroed lists of equal length. A file pairs with the file of the same name, or else of the same name up to
 * the last dot; several distorted files may have the same reference. Warns of each file that has no partner. On
 * failure, prints a message and returns its status. Call encodes_free for both in any case.
 */
FvStatus folders_pair(ArgList *references, ArgList *encodes, const char *reference, const char *distorted);

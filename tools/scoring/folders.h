/* The files of folders, and two folders of pictures or videos that pair by their names. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

bool folders_is_one(const char *path);

/*
 * Adds the paths of a folder's files in the order of their names: those that end with `ending`, without hidden ones.
 * FV_ERROR_INPUT when one is neither a regular file nor a folder, or cannot be examined. A status after a message.
 * encodes_free in any case.
 */
FvStatus folders_list(ArgList *files, const char *folder, const char *ending);

/*
 * Fills two zeroed lists of equal length. A file pairs with the file of the same name, or else of the same name up to
 * the last dot; several distorted files may have one reference. A warning tells each file that has no partner. A
 * status after a message. encodes_free for both in any case.
 */
FvStatus folders_pair(ArgList *references, ArgList *encodes, const char *reference, const char *distorted);

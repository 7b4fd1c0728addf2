/* The distorted videos that the command line names. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

/*
 * Fills a zeroed list: names of files stay as they are, and a pattern (*, ?, [...]) that names no file becomes the
 * names that it matches, in order, if there are any. A status after a message. encodes_free in any case.
 */
FvStatus encodes_list(ArgList *encodes, const ArgList *given);

void encodes_free(ArgList *encodes);

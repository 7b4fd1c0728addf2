/* Compares two stored reports of several encodes, for 'fovea diff'. */
#pragma once

#include "cli/args.h"

typedef struct DiffLadders {
    const char *path[2];          /* the old and the new report */
    const ArgList *fail_if_worse; /* gates that every encode of both reports must pass */
    bool json, details;           /* `details`: the text also lists the scores that are parts of metrics */
} DiffLadders;

/*
 * Compares two reports of several encodes, and sets *status to the exit code. Returns false, and prints nothing, if a
 * file is no such report.
 */
bool diff_ladders(const DiffLadders *asked, int *status);

/* Prints the scores as a table for the terminal. */
#pragma once

#include <stdio.h>

#include "cli/style.h"
#include "fovea/fovea.h"
#include "table/gate.h"

typedef struct TableParams {
    const Gates *gates; /* the gates, or NULL */
    bool reports;       /* reports were written */
    bool details;       /* print every score, pool and decision */
    bool quiet;         /* print the verdict's sentence only, on one line */
} TableParams;

/*
 * Prints the length of the clip: "250 frames, 10.00 s", or with every second frame scored "125 frames, 1 of 2, 10.00
 * s". The time is that of the whole clip, including the skipped frames.
 */
void table_tell_length(char *text, size_t size, const FvSession *session);

/* Returns the escape sequence of the verdict's sentence. */
const char *table_look(const Style *style, FvSession *session, const FvClipVerdict *verdict);

/* Prints the table, or with `quiet` its first line. On failure, prints a message and returns FV_ERROR_MEMORY. */
FvStatus table_print(FILE *file, FvSession *session, const TableParams *params);

/* The scores as a table for people. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"
#include "result/gate.h"

typedef struct TableParams {
    const Gates *gates; /* or NULL */
    bool reports;       /* some were written */
    bool details;       /* every score, pool and decision */
} TableParams;

/*
 * "250 frames, 10.00 s"; "125 frames, 1 of 2, 10.00 s" where the others were left out: the time is that of the clip,
 * to the frames that one of them stands for.
 */
void table_tell_length(char *text, size_t size, const FvSession *session);

/* FV_ERROR_MEMORY after a message. */
FvStatus table_print(FILE *file, FvSession *session, const TableParams *params);

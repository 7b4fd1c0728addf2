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

void table_print(FILE *file, const FvSession *session, const TableParams *params);

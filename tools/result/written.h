/* A JSON report that fovea has written of one encode. */
#pragma once

#include "fovea/fovea.h"
#include "json_read.h"

typedef struct Written {
    FvSession *session;  /* that it was written of */
    FvDocument document; /* all that it says */
} Written;

/*
 * Opens a zeroed report. A status after a message, which ends with `remedy` where the file is something else;
 * written_close in any case.
 */
FvStatus written_open(Written *report, const char *path, const char *remedy);
void written_close(Written *report);

/* Reads a JSON report of one encode that fovea wrote. */
#pragma once

#include "fovea/fovea.h"
#include "json_read.h"

typedef struct Written {
    FvSession *session;  /* session with the scores of the report */
    FvDocument document; /* whole content of the report */
} Written;

/*
 * Opens a zeroed report. On failure, prints a message and returns its status; if the file is something else, the
 * message ends with `remedy`. Call written_close in any case.
 */
FvStatus written_open(Written *report, const char *path, const char *remedy);
void written_close(Written *report);

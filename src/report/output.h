/* A file that appears under its name whole or not at all. */
#ifndef FV_OUTPUT_H
#define FV_OUTPUT_H

#include <stdio.h>

#include "fovea/fovea.h"

typedef struct FvOutput {
    FILE *file;
    char *path;      /* where it shall appear; symbolic links followed */
    char *temporary; /* where it is written; NULL: at once in its place (standard output, a device, a pipe) */
} FvOutput;

/* path "-" is standard output. On failure there is nothing to close. */
FvStatus fv_output_open(FvOutput *output, const char *path, FvError *error);

/* Flushes, renames and frees. On failure nothing of the file is left. */
FvStatus fv_output_close(FvOutput *output, FvError *error);

#endif

/*
 * Prints the optional parts of the table: means of intervals and scenes, and with --details every score and decision.
 */
#pragma once

#include <stdio.h>

#include "cli/style.h"
#include "fovea/fovea.h"

/* Prints the means of intervals and of scenes, if the session has any. */
void details_print_parts(FILE *file, const Style *style, const FvSession *session);

/*
 * Prints every score with its full name and all pools, the worst frames, the sources of the verdicts, and the
 * decisions.
 */
void details_print(FILE *file, const Style *style, const FvSession *session);

/* The parts of the table that not everyone reads: parts of the videos, and with --details every score and decision.
 */
#pragma once

#include <stdio.h>

#include "cli/style.h"
#include "fovea/fovea.h"

/* Means of intervals and of scenes, where the session has some. */
void details_print_parts(FILE *file, const Style *style, const FvSession *session);

/* Every score with its own name and all pools, worst frames, verdicts' sources, and decisions. */
void details_print(FILE *file, const Style *style, const FvSession *session);

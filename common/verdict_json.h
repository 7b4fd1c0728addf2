/* Writes the verdict on a clip as JSON, for reports, pages and lists of encodes. */
#pragma once

#include <fovea/verdict.h>

#include "json.h"

/* Returns the name of an output. */
typedef const char *FvOutputNamer(const void *of, int output);

/* Writes the member "verdict" of the object that is open; `name` names the outputs. */
void fv_verdict_json(FvJson *json, FvOutputNamer *name, const void *of, const FvClipVerdict *verdict);

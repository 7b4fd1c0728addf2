/* Writes the speeds of the parts of a run as JSON: a member of progress and of reports. */
#pragma once

#include <fovea/score.h>

#include "json.h"

/* Writes the speeds; those of 0 are left out. */
void fv_timing_json(FvJson *json, const FvTiming *timing);

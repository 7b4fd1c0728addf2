/* Writes the speeds of the parts of a run as JSON, for progress lines and reports. */
#pragma once

#include <fovea/score.h>

#include "json.h"

/* Writes the speeds as members of the open object; a speed of 0 is left out. */
void fv_timing_json(FvJson *json, const FvTiming *timing);

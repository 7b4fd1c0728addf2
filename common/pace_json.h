/* How fast the parts of a scoring go, as JSON: a member of progress and of reports. */
#pragma once

#include <fovea/score.h>

#include "json.h"

/* What is 0 is left out. */
void fv_pace_json(FvJson *json, const FvPace *pace);

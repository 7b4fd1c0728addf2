/* The verdict on a clip as JSON: a member of reports, of pages, and of lists of many encodes. */
#pragma once

#include <fovea/verdict.h>

#include "json.h"

/* The member "verdict" of the object that is open. `session` names the outputs and has the gates. */
void fv_verdict_json(FvJson *json, const FvSession *session, const FvClipVerdict *verdict);

/* The verdict on a session's frames, without or with gates. */
#pragma once

#include "session/state.h"
#include "verdict/verdict.h"

/*
 * Judges the frames scored so far, with gates and with what checks found, if these are not NULL. Fills *verdict,
 * which the caller frees, also after an error.
 */
FvStatus fv_judge_frames(FvClipVerdict *verdict, const FvSession *session, const FvVerdictGate *gates, int gate_count,
                         const FvVerdictChecks *checks, FvError *error);

/* Turns findings about two videos into events, each with a sentence and a remedy. docs/doubt.md */
#pragma once

#include "align/shift.h"
#include "doubt/parts.h"
#include "session/session.h"

/*
 * Reports the findings about the whole clip, the bars and reversed video that `shift` found, and the findings about
 * parts of the clip; the caller reports what else `shift` found. Call it after fv_shift_end(). The session's facts
 * must state how the videos were prepared. FV_ERROR_INPUT in strict mode.
 */
FvStatus fv_doubt_report(FvSession *session, const FvFindings *whole, const FvParts *parts, const FvShift *shift,
                         FvError *error);

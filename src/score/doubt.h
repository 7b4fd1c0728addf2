/* Turns findings about two videos into events, each with a sentence and a remedy. docs/doubt.md */
#pragma once

#include "align/shift.h"
#include "doubt/findings.h"
#include "session/session.h"

/*
 * Reports `findings`, and of what `shift` found the bars and a reversed video; the caller reports the rest of it.
 * Call it after fv_shift_end(). The session's facts state how the videos were prepared. FV_ERROR_INPUT in strict
 * mode.
 */
FvStatus fv_doubt_tell(FvSession *session, const FvFindings *findings, const FvShift *shift, FvError *error);

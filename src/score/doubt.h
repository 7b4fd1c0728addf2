/* Turns findings about two videos into events, each with a sentence and a remedy. docs/doubt.md */
#pragma once

#include "align/shift.h"
#include "doubt/findings.h"
#include "session/session.h"

/*
 * Reports `findings`, and the bars and reversed video that `shift` found; the caller reports what else `shift` found.
 * Call it after fv_shift_end(). The session's facts must state how the videos were prepared. FV_ERROR_INPUT in strict
 * mode.
 */
FvStatus fv_doubt_report(FvSession *session, const FvFindings *findings, const FvShift *shift, FvError *error);

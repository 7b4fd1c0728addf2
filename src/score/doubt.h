/* Turns findings about two videos into events, each with a sentence and a remedy. docs/doubt.md */
#pragma once

#include "align/shift.h"
#include "doubt/findings.h"
#include "session/session.h"

/*
 * Reports the bars and a reversed video that the shift found, after it has ended; the caller reports its other
 * findings. The session's facts state how the videos were prepared. FV_ERROR_INPUT in strict mode.
 */
FvStatus fv_doubt_tell(FvSession *session, const FvFindings *findings, const FvShift *shift, FvError *error);

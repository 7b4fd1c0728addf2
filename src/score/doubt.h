/* The words for what the looks at two videos found: findings become events with a remedy each. docs/doubt.md */
#pragma once

#include "align/shift.h"
#include "doubt/findings.h"
#include "session/session.h"

/*
 * After the shift has ended: reports its bars and a reversed video; the caller reports its other findings.
 * FV_ERROR_INPUT in strict mode. The session's facts say how the videos were prepared.
 */
FvStatus fv_doubt_tell(FvSession *session, const FvFindings *findings, const FvShift *shift, FvError *error);

/*
 * Makes the clip pair of fovea demo: a scene computed with integers, the same on every machine, and an imitation of a
 * fast encoder's result.
 */
#pragma once

#include "fovea/fovea.h"

extern const FvFormat demo_format;

/* Makes frame `number`, which the caller releases with fv_frame_unref(). */
FvStatus demo_frame(FvFrame **frame, int number, bool distorted, FvError *error);

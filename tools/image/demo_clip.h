/* The clip of fovea demo: a scene made from integers, the same on every machine, and what a hasty encoder makes of
 * it. */
#pragma once

#include "fovea/fovea.h"

extern const FvFormat demo_format;

/* Frame `number`; the caller unrefs it. */
FvStatus demo_frame(FvFrame **frame, int number, bool distorted, FvError *error);

/* Bringing a picture to a greater bit depth. */
#ifndef FV_DEPTH_H
#define FV_DEPTH_H

#include "fovea/fovea.h"

/*
 * Replaces *frame by one with `depth` bits: every sample multiplied by 2^(difference). Limited-range video has the
 * same meaning at both depths, exactly (ITU-R BT.2100 and BT.709 scale their levels by powers of two).
 */
FvStatus fv_frame_promote(FvFrame **frame, int depth, FvError *error);

#endif

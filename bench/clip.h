/* A generated pair of clips in memory. */
#pragma once

#include "clip/synth.h"
#include "fovea/fovea.h"

/* Pairs of frames: two that differ, and copies of them at other addresses. `copy` is where a plain copy goes.
 */
typedef struct Clip {
    FvFormat format;
    FvFrame **ref, **dis, **copy;
    int pairs;
    double pair_bytes; /* bytes of a pair's samples */
} Clip;

/* The reference is of kind SYNTH_REF, the distorted clip of `kind`. To be freed also after a failure. */
FvStatus clip_make(Clip *clip, int width, int height, int depth, SynthKind kind, FvError *error);
void clip_free(Clip *clip);

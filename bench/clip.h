/* A generated pair of clips in memory. */
#pragma once

#include "clip/synth.h"
#include "fovea/fovea.h"

/*
 * Pairs of frames: two different pairs, and copies of them at other addresses. `copy` is the destination of a plain
 * copy.
 */
typedef struct Clip {
    FvFormat format;
    FvFrame **ref, **dis, **copy;
    int pairs;
    double pair_bytes; /* bytes of a pair's samples */
} Clip;

/*
 * Makes a pair of clips: the reference of kind SYNTH_REF, the distorted clip of `kind`. Call clip_free() also after a
 * failure.
 */
FvStatus clip_make(Clip *clip, int width, int height, int depth, SynthKind kind, FvError *error);
void clip_free(Clip *clip);

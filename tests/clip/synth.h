/* Makes the clips of vectors/synth.h as frames and files. */
#pragma once

#include "../vectors/synth.h"
#include "fovea/fovea.h"

typedef struct SynthClip {
    int width, height;
    FvChroma chroma;
    int depth; /* bits of a sample: 8, 10, 12 or 16 */
    uint32_t seed;
    SynthKind kind;
    SynthChanges changes;
} SynthClip;

FvFormat synth_format(const SynthClip *clip);

/* Makes a frame of the clip. The caller owns one reference. NULL: out of memory. */
FvFrame *synth_frame(const SynthClip *clip, int frame);

/* Writes the first `frames` frames as Y4M. False: writing failed. */
bool synth_write_y4m(const SynthClip *clip, int frames, FILE *file);

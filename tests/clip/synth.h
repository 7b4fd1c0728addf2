/* Makes the clips of vectors/synth.h as frames and files. */
#pragma once

#include "../vectors/synth.h"
#include "fovea/fovea.h"

typedef struct SynthClip {
    int width, height;
    FvChroma chroma;
    int depth; /* bits per sample: 8, 10, 12 or 16 */
    uint32_t seed;
    SynthKind kind;
    SynthChanges changes;
} SynthClip;

FvFormat synth_format(const SynthClip *clip);

/* Makes a frame of the clip, of which the caller owns one reference. Returns NULL if memory runs out. */
FvFrame *synth_frame(const SynthClip *clip, int frame);

/* Writes the first `frames` frames as Y4M. Returns false if writing failed. */
bool synth_write_y4m(const SynthClip *clip, int frames, FILE *file);

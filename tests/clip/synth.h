/*
 * Deterministic test clips. Every sample comes from 32-bit unsigned integers alone, so a clip is named by seven
 * values and is the same bytes everywhere; the goldens name their clips this way.
 */
#pragma once

#include "fovea/fovea.h"

typedef enum SynthKind {
    SYNTH_REF,    /* a slow gradient, cells of noise, cells of moving stripes */
    SYNTH_BAND,   /* the same, coarsely quantised: banded */
    SYNTH_NOISE,  /* the same with noise added */
    SYNTH_MIX,    /* banded everywhere, noisy in a checkerboard */
    SYNTH_STEPS,  /* flat squares of 20 samples, neighbours a little brighter: nothing but bands */
    SYNTH_BLOCKS, /* flat squares of 4 samples, each of a random dark level: as many values as can be */
    SYNTH_CELLS,  /* the same, 3 samples wide and 6 high: as many edges as can be in what CAMBI takes for flat */
    /* Black and white that change places with every frame: columns and lines of 1 sample, checks of 1, 2 and 8. */
    SYNTH_COLUMNS,
    SYNTH_LINES,
    SYNTH_CHECKS1,
    SYNTH_CHECKS2,
    SYNTH_CHECKS8,
} SynthKind;

typedef struct SynthClip {
    int width, height;
    FvChroma chroma;
    int depth; /* of the samples: 8, 10 or 12; 16 expands each 12-bit sample v to 16 * v + floor(v / 256) */
    uint32_t seed;
    SynthKind kind;
} SynthClip;

/* By name: "ref", "band", "noise", "mix", "steps", "blocks", "cells", "columns", "lines", "checks1", "checks2",
 * "checks8". */
bool synth_kind_parse(const char *name, SynthKind *kind);
const char *synth_kind_name(SynthKind kind);

FvFormat synth_format(const SynthClip *clip);

/* A frame of the clip; the caller owns one reference. NULL when memory runs out. */
FvFrame *synth_frame(const SynthClip *clip, int frame);

/* The whole clip as Y4M. False when writing fails. */
bool synth_write_y4m(const SynthClip *clip, int frames, FILE *file);

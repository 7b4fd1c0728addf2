/*
 * The clips of the vectors (spec/synth.md). Every sample is computed from 32-bit unsigned integers alone, so seven
 * words define a clip with the same bytes everywhere. This is plain C without a library, which synth.c and fovea's
 * tests include.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum SynthKind {
    SYNTH_REF,    /* a slow gradient, cells of noise, cells of moving stripes */
    SYNTH_BAND,   /* SYNTH_REF coarsely quantised, so that it shows bands */
    SYNTH_NOISE,  /* SYNTH_REF with noise added */
    SYNTH_MIX,    /* SYNTH_REF banded everywhere, noisy in a checkerboard */
    SYNTH_STEPS,  /* flat squares of 20 samples, each slightly brighter than its neighbours, so that all edges are
                   * bands */
    SYNTH_BLOCKS, /* flat squares of 4 samples of random dark levels: the greatest number of values in a picture */
    SYNTH_CELLS,  /* rectangles of 3x6 samples of random dark levels: the greatest number of edges that CAMBI counts
                     as flat */
    /* Black and white that change places in every frame: columns and lines of 1 sample, checks of 1, 2 and 8. */
    SYNTH_COLUMNS,
    SYNTH_LINES,
    SYNTH_CHECKS1,
    SYNTH_CHECKS2,
    SYNTH_CHECKS8,
} SynthKind;

static inline const char *synth_kind_name(SynthKind kind)
{
    static const char *const names[] = {"ref",   "band",    "noise", "mix",     "steps",   "blocks",
                                        "cells", "columns", "lines", "checks1", "checks2", "checks8"};
    return names[kind];
}

/* Finds the kind of this name. Returns false if there is none. */
static inline bool synth_kind_parse(const char *name, SynthKind *kind)
{
    for (int i = SYNTH_REF; i <= SYNTH_CHECKS8; i++)
        if (!strcmp(name, synth_kind_name((SynthKind)i))) {
            *kind = (SynthKind)i;
            return true;
        }
    return false;
}

/* Changes of a clip, as the words after its kind name them. With all members 0, nothing changes. */
typedef struct SynthChanges {
    int skip;         /* number of frames left out at the start */
    bool hold;        /* every frame is the first one */
    bool other;       /* `chroma` draws Cb and Cr instead of the clip's kind */
    SynthKind chroma; /* kind that draws Cb and Cr */
    int quant;        /* samples of 8 bits are rounded to a multiple of this number; 0: they are not */
    bool filled[3];   /* every sample of the plane has the value `fill` */
    int fill[3];      /* value of the plane's samples */
} SynthChanges;

/* Reads skip N, hold, chroma KIND, quant N, fill PLANE VALUE in any order. Returns false if a word is none of
 * these. */
static inline bool synth_changes_parse(SynthChanges *changes, int count, char **words)
{
    for (int i = 0; i < count;) {
        const char *word = words[i];
        int left = count - i, taken = 2;
        if (!strcmp(word, "skip") && left > 1)
            changes->skip = atoi(words[i + 1]);
        else if (!strcmp(word, "quant") && left > 1)
            changes->quant = atoi(words[i + 1]);
        else if (!strcmp(word, "chroma") && left > 1)
            changes->other = synth_kind_parse(words[i + 1], &changes->chroma);
        else if (!strcmp(word, "hold")) {
            changes->hold = true;
            taken = 1;
        } else if (!strcmp(word, "fill") && left > 2 && words[i + 1][0] >= '0' && words[i + 1][0] <= '2') {
            int plane = words[i + 1][0] - '0';
            changes->filled[plane] = true;
            changes->fill[plane] = atoi(words[i + 2]);
            taken = 3;
        } else
            return false;
        if (!strcmp(word, "chroma") && !changes->other)
            return false;
        i += taken;
    }
    return true;
}

/* A plane of a frame. */
typedef struct SynthPlane {
    uint32_t number, width, height; /* number: 0 to 2; width, height: in samples */
    uint32_t frame, seed;
    int depth; /* 8, 10 or 12; 16 expands a sample v of 12 bits to 16 * v + floor(v / 256) */
    SynthKind kind;
    SynthChanges changes;
} SynthPlane;

static inline uint32_t synth_hash(uint32_t x, uint32_t y, uint32_t t, uint32_t plane, uint32_t seed)
{
    uint32_t u = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ t * 0xC2B2AE3Du ^ plane * 0x27D4EB2Fu ^ seed * 0x165667B1u;
    u ^= u >> 15;
    u *= 0x2C1B3C6Du;
    u ^= u >> 12;
    u *= 0x297A2D39u;
    u ^= u >> 15;
    return u;
}

/* Returns the undistorted sample at time t on a 12-bit scale, which may exceed 4095. */
static inline uint32_t synth_reference(const SynthPlane *p, uint32_t t, uint32_t x, uint32_t y)
{
    uint32_t gradient =
        (x * 3u + y * 2u + t * 2u) * 2048u / (3u * p->width + 2u * p->height + 64u) + 512u + p->number * 200u;
    uint32_t cell = (x / 48u + y / 48u + p->number) % 5u;
    if (cell == 0)
        return gradient + synth_hash(x, y, t, p->number, p->seed) % 257u;
    if (cell == 3) {
        uint32_t phase = (x * 37u + y * 11u + t * 29u + p->seed * 7u) & 511u;
        return gradient + (phase < 256u ? phase : 512u - phase);
    }
    return gradient;
}

/* Returns the sample of a kind at time t on a 12-bit scale. */
static inline uint32_t synth_drawn(const SynthPlane *p, SynthKind kind, uint32_t t, uint32_t x, uint32_t y)
{
    if (kind == SYNTH_STEPS)
        return 1024u + (x / 20u + y / 20u) % 4u * 16u;
    if (kind == SYNTH_BLOCKS)
        return 256u + synth_hash(x / 4u, y / 4u, t, p->number, p->seed) % 496u * 4u;
    if (kind == SYNTH_CELLS)
        return 256u + synth_hash(x / 3u, y / 6u, t, p->number, p->seed) % 496u * 4u;
    if (kind >= SYNTH_COLUMNS) {
        uint32_t across = kind == SYNTH_LINES ? 0 : x, down = kind == SYNTH_COLUMNS ? 0 : y;
        int shift = kind == SYNTH_CHECKS8 ? 3 : kind == SYNTH_CHECKS2 ? 1 : 0;
        return 4095u * (((across >> shift) + (down >> shift) + t) & 1u);
    }
    uint32_t v = synth_reference(p, t, x, y);
    if (kind == SYNTH_BAND || kind == SYNTH_MIX) {
        uint32_t step = 48u + (synth_hash(x / 64u, y / 64u, 0u, p->number, p->seed + 1u) & 1u) * 32u;
        v = (v + step / 2u) / step * step;
    }
    if (kind == SYNTH_NOISE || (kind == SYNTH_MIX && ((x / 96u + y / 96u) & 1u)))
        v += synth_hash(x, y, t, p->number, p->seed + 2u) % 97u;
    return v > 4095u ? 4095u : v;
}

static inline uint32_t synth_quantized(uint32_t v, uint32_t step)
{
    v = (v + step / 2u) / step * step;
    return v < 255u ? v : 255u;
}

/* Returns the sample as it is stored. */
static inline uint32_t synth_sample(const SynthPlane *p, uint32_t x, uint32_t y)
{
    const SynthChanges *changes = &p->changes;
    if (changes->filled[p->number])
        return (uint32_t)changes->fill[p->number];
    uint32_t t = (uint32_t)changes->skip + (changes->hold ? 0 : p->frame);
    uint32_t v = synth_drawn(p, changes->other && p->number ? changes->chroma : p->kind, t, x, y);
    if (p->depth == 16)
        return 16u * v + v / 256u;
    v >>= 12 - p->depth;
    return changes->quant ? synth_quantized(v, (uint32_t)changes->quant) : v;
}

/* Writes a clip as Y4M. chroma is 400, 420, 422 or 444. Returns false if writing fails. */
static inline bool synth_write(FILE *file, int width, int height, int chroma, SynthPlane plane, int frames)
{
    const bool gray = chroma == 400, deep = plane.depth > 8;
    fprintf(file, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C", width, height);
    if (gray)
        fprintf(file, deep ? "mono%d\n" : "mono\n", plane.depth);
    else if (deep)
        fprintf(file, "%dp%d XYSCSS=%dP%d\n", chroma, plane.depth, chroma, plane.depth);
    else
        fprintf(file, chroma == 420 ? "420jpeg\n" : "%d\n", chroma);
    for (int frame = 0; frame < frames; frame++) {
        fputs("FRAME\n", file);
        plane.frame = (uint32_t)frame;
        for (plane.number = 0; plane.number < (gray ? 1u : 3u); plane.number++) {
            plane.width = (uint32_t)(plane.number && chroma != 444 ? (width + 1) / 2 : width);
            plane.height = (uint32_t)(plane.number && chroma == 420 ? (height + 1) / 2 : height);
            for (uint32_t y = 0; y < plane.height; y++)
                for (uint32_t x = 0; x < plane.width; x++) {
                    uint32_t sample = synth_sample(&plane, x, y);
                    putc((int)(sample & 255u), file);
                    if (deep)
                        putc((int)(sample >> 8), file);
                }
        }
    }
    return !fflush(file) && !ferror(file);
}

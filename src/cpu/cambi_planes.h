/* The processing of CAMBI's frames: sizes, tables, the layout of planes, and the division into jobs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FV_CAMBI_SCALES 5
#define FV_CAMBI_CONTRASTS 32  /* maximum number of contrast steps */
#define FV_CAMBI_LEVELS 1025   /* number of values of the 10-bit frame: rounding 16-bit white gives 1024 */
#define FV_CAMBI_MASKED 0x8000 /* flag in a sample of FvCambiScale: the sample's surroundings are flat */
#define FV_CAMBI_WINDOW 255    /* maximum window size in pixels: a 16-bit counter can count 255 * 255 pixels */

#define FV_CAMBI_BAND 128  /* rows per job of the stages that compute the scales */
#define FV_CAMBI_STRIP 640 /* maximum columns per job of the contrast stage, a multiple of 64 */
/*
 * Counters per value: for the columns of a strip, for the windows at its sides, and for vectors that run past the
 * end. The odd number of cache lines spreads the values over the cache.
 */
#define FV_CAMBI_COUNTERS 864

/* Bins of c-values by exponent and 8 bits of fraction, from 0.5, the smallest nonzero c-value, to 9/4 * 255^2. */
#define FV_CAMBI_BIN_SHIFT 15
#define FV_CAMBI_FIRST_BIN (0x3f000000 >> FV_CAMBI_BIN_SHIFT)
#define FV_CAMBI_BINS ((0x48100000 >> FV_CAMBI_BIN_SHIFT) - FV_CAMBI_FIRST_BIN)
#define FV_CAMBI_IN_BIN (1 << FV_CAMBI_BIN_SHIFT)

/* The contrasts that the viewing conditions make visible. */
typedef struct FvCambiTables {
    int contrasts;               /* D: the contrasts of 1 to D codes count */
    int tvi[FV_CAMBI_CONTRASTS]; /* [d - 1]: the highest value at which a contrast of d codes is visible */
    /* A contrast of d codes is visible at value v only if v + contrasts + d exceeds `dark`. */
    int dark;
    uint32_t visible[FV_CAMBI_LEVELS]; /* [v], bit d - 1: a contrast of d codes is visible at a pixel of value v */
    /* Only values in [low, high] can yield a nonzero c-value; low is FV_CAMBI_LEVELS if none can. */
    int low, high;
    const float *reciprocal; /* [n]: R(n) of arith/cambi.h, for n up to the number of pixels of the window */
} FvCambiTables;

/*
 * The starts and ends, among 64 pixels, of runs of masked pixels of one value in [low, high]. Bit i of `begins`: a
 * run starts at pixel i; bit i of `ends`: a run has ended before pixel i.
 */
typedef struct FvCambiEdges {
    uint64_t begins, ends;
} FvCambiEdges;

/*
 * One of the five scales. Samples are 10-bit values with the flag FV_CAMBI_MASKED. The sample before a row is 0, and
 * so are the samples after it up to a multiple of 64.
 */
typedef struct FvCambiScale {
    int width, height;
    ptrdiff_t stride;       /* distance from row to row, in samples */
    int edge_words;         /* words of 64 pixels per row */
    ptrdiff_t c_stride;     /* stride of the plane of c-values, in values */
    size_t image, edges, c; /* offsets of the three planes in the frame's block, in bytes */
} FvCambiScale;

/* How the frames of one video are processed. */
typedef struct FvCambiPicture {
    int source_width, source_height, depth;
    int width, height;       /* size at which frames are processed, in pixels */
    const int *column, *row; /* source position of each column and row; NULL if no resizing is needed */
    bool undither;           /* smooth 2x2 samples before all else, to remove dither */
    bool half;               /* true: the high-resolution speed-up is used; scale 0 has half the processing size */
    int window, radius;
    int mask_threshold;
    double topk;
    const FvCambiTables *tables;
    FvCambiScale scale[FV_CAMBI_SCALES];
    size_t bytes; /* bytes of the block of all planes; the block is 64-byte aligned */
} FvCambiPicture;

/* The result for a strip of columns. */
typedef struct FvCambiSum {
    uint64_t sum; /* sum of c times 2^24 */
    int64_t nonzero;
} FvCambiSum;

/* Returns the number of columns of a job of the contrast stage, a multiple of 64; wide windows get fewer. */
static inline int fv_cambi_strip(const FvCambiPicture *picture)
{
    int most = (FV_CAMBI_COUNTERS - 4 * picture->radius - 48) / 64 * 64;
    return most < FV_CAMBI_STRIP ? most : FV_CAMBI_STRIP;
}

static inline uint16_t *fv_cambi_row(const FvCambiScale *scale, void *frame, int y)
{
    return (uint16_t *)((char *)frame + scale->image) + y * scale->stride;
}

static inline FvCambiEdges *fv_cambi_edges(const FvCambiScale *scale, void *frame, int y)
{
    return (FvCambiEdges *)((char *)frame + scale->edges) + (ptrdiff_t)y * scale->edge_words;
}

static inline float *fv_cambi_c(const FvCambiScale *scale, void *frame, int y)
{
    return (float *)((char *)frame + scale->c) + y * scale->c_stride;
}

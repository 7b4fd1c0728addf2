/* The processing of CAMBI's frames: sizes, tables, the layout of planes, and the division into jobs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FV_CAMBI_SCALES 5
#define FV_CAMBI_CONTRASTS 32  /* most contrast steps that can be examined */
#define FV_CAMBI_LEVELS 1025   /* values of the 10-bit picture: rounding 16-bit white gives 1024 */
#define FV_CAMBI_MASKED 0x8000 /* set in a sample of FvCambiScale whose surroundings are flat */
#define FV_CAMBI_WINDOW 255    /* the largest window: its 255 * 255 pixels are what a 16-bit counter holds */

#define FV_CAMBI_BAND 128  /* rows of one job of the image stages */
#define FV_CAMBI_STRIP 640 /* most columns of one job of the contrast stage, a multiple of 64 */
/* Room for the counters of a strip, of the windows at its sides and of vectors: an odd number of cache lines spreads
 * the values.
 */
#define FV_CAMBI_COUNTERS 864

/* Bins of c-values by exponent and 8 bits of fraction, from 0.5, the least nonzero one, to 9/4 * 255^2. */
#define FV_CAMBI_BIN_SHIFT 15
#define FV_CAMBI_FIRST_BIN (0x3f000000 >> FV_CAMBI_BIN_SHIFT)
#define FV_CAMBI_BINS ((0x48100000 >> FV_CAMBI_BIN_SHIFT) - FV_CAMBI_FIRST_BIN)
#define FV_CAMBI_IN_BIN (1 << FV_CAMBI_BIN_SHIFT)

/* The contrasts that the viewer's display makes visible. */
typedef struct FvCambiTables {
    int contrasts;                     /* D: contrasts of 1..D codes are examined */
    int tvi[FV_CAMBI_CONTRASTS];       /* [d - 1]: the brightest value at which a contrast of d is visible */
    int dark;                          /* values below are too dark, after the shift of fv_cambi_visible */
    uint32_t visible[FV_CAMBI_LEVELS]; /* [v], bit d - 1: a contrast of d codes counts for a pixel of value v */
    int low, high;           /* only values in [low, high] can make a difference; FV_CAMBI_LEVELS when none can */
    const float *reciprocal; /* [n] for n up to the area of the window */
} FvCambiTables;

/*
 * The runs of masked pixels of one value that could make a difference, among 64 pixels, a bit each: whether one
 * begins there, and whether one has ended before.
 */
typedef struct FvCambiEdges {
    uint64_t begins, ends;
} FvCambiEdges;

/*
 * One of the five pictures. Samples are 10-bit values with FV_CAMBI_MASKED; the sample left of a row and those right
 * of it up to a multiple of 64 are 0.
 */
typedef struct FvCambiScale {
    int width, height;
    ptrdiff_t stride;       /* distance from row to row, in samples */
    int edge_words;         /* words of 64 pixels per row */
    ptrdiff_t c_stride;     /* stride of the plane of c-values, in values */
    size_t image, edges, c; /* where they lie in the frame's block, in bytes */
} FvCambiScale;

/* How the pictures of one video are processed. */
typedef struct FvCambiPicture {
    int source_width, source_height, depth;
    int width, height;       /* size at which frames are processed */
    const int *column, *row; /* source position of every column and row, or NULL when the sizes are equal */
    bool undither;           /* smooth 2x2 before everything else */
    bool half;               /* the high-resolution speed-up: the first scale is half the size already */
    int window, radius;
    int mask_threshold;
    double topk;
    const FvCambiTables *tables;
    FvCambiScale scale[FV_CAMBI_SCALES];
    size_t bytes; /* bytes of the block of all planes, which is 64-byte aligned */
} FvCambiPicture;

/* The result of a strip of columns. */
typedef struct FvCambiSum {
    uint64_t sum; /* sum of c times 2^24 */
    int64_t nonzero;
} FvCambiSum;

/* Columns of a job of the contrast stage, a multiple of 64: fewer for wide windows. */
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

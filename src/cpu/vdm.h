/* Kernels of the visual discrimination model on the CPU. docs/metrics/vdm.md */
#pragma once

#include <math.h>

#include "base/isa.h"
#include "cpu/vdm_plane.h"

/* The eye's point spread on the grid of samples: weights of the classes (a, b), 0 <= b <= a <= radius. */
#define FV_VDM_RADIUS 4
typedef struct FvVdmSpread {
    int radius;       /* 0: no optics */
    float weight[15]; /* class (a, b) at a (a + 1) / 2 + b */
} FvVdmSpread;

/* See fv_vdm_response in arith/vdm.h. */
typedef struct FvVdmTransducer {
    float half_n, half_difference, kappa, gain;
    int square;
} FvVdmTransducer;

#define FV_VDM_NODES 193 /* nodes of a table of weights */

/* From samples to what the retina gets. */
typedef struct FvVdmOptics {
    int width, height;
    int bytes;            /* bytes per sample: 1, 2, or 4: binary32 numbers in cd/m2, without a table */
    const float *display; /* luminance of each code, cd/m2 */
    uint16_t greatest;    /* the last code of the table */
    FvVdmSpread spread;
} FvVdmOptics;

/* The inputs of a level's responses; [0] reference, [1] distorted. */
typedef struct FvVdmLevel {
    FvVdmPlane gauss[2];  /* G_k */
    FvVdmPlane coarse[2]; /* G_{k+1} */
    FvVdmPlane mean[2];   /* U_{k+1}: G_{k+2} expanded to the size of G_{k+1} */
    FvVdmPlane sum;       /* S_k: the result */
    const float *weights; /* FV_VDM_NODES */
    FvVdmTransducer transducer;
    float q;
    int pool; /* 1 or 5 */
} FvVdmLevel;

/* Intermediate results, where a pointer is not NULL: planes of level->sum.stride. */
typedef enum FvVdmStage {
    FV_VDM_CONTRAST,
    FV_VDM_ADAPTATION,
    FV_VDM_ENERGY,                       /* four orientations */
    FV_VDM_RESPONSE = FV_VDM_ENERGY + 4, /* four orientations, after the transducer */
    FV_VDM_STAGES = FV_VDM_RESPONSE + 4
} FvVdmStage;
typedef struct FvVdmSeen {
    float *plane[2][FV_VDM_STAGES];
} FvVdmSeen;

/* A part of a level: at most FV_VDM_TILE_WIDTH columns and FV_VDM_TILE_HEIGHT rows. */
#define FV_VDM_TILE_WIDTH 124
#define FV_VDM_TILE_HEIGHT 128
typedef struct FvVdmTile {
    int x, y, width, height;
} FvVdmTile;

/* Statistics of some rows of a map. */
#define FV_VDM_BINS 32768 /* number of bins: upper 16 bits of a nonnegative number */
typedef struct FvVdmCount {
    float least, greatest;
    uint64_t visible; /* samples of 1 JND and more */
    uint32_t *bins;   /* FV_VDM_BINS */
} FvVdmCount;

/* Sums over a row of at most FV_VDM_SEGMENT samples, in units of 2^-26; J limited to FV_VDM_LIMIT. */
#define FV_VDM_SEGMENT 8192
typedef struct FvVdmSums {
    uint64_t jnd, square, fourth;
} FvVdmSums;

static inline uint64_t fv_vdm_fixed(float x)
{
    return (uint64_t)floor(x * 67108864.0 + 0.5);
}

/* Adds one sample to the statistics; `limit` is FV_VDM_LIMIT. */
static inline FvVdmSums fv_vdm_summands(float jnd, float limit)
{
    const float limited = jnd < limit ? jnd : limit, square = limited * limited;
    return (FvVdmSums){fv_vdm_fixed(limited), fv_vdm_fixed(square), fv_vdm_fixed(square * square)};
}

/*
 * Rows of inputs may be read, and rows of outputs written, up to FV_VDM_BEHIND floats behind their last sample and
 * FV_VDM_MARGIN in front of their first. Inputs have two reflected samples at each end, and outputs get them, except
 * for `sum` of a level. `work`: fv_vdm_work_floats.
 */
typedef struct FvVdmKernels {
    /* Rows [row, row + rows) of a picture on the retina. Samples may be read FV_ROW_PADDING behind their row. */
    void (*optics)(const FvVdmOptics *optics, const uint8_t *samples, ptrdiff_t stride, int row, int rows,
                   const FvVdmPlane *to, float *work);
    /* Half as many rows and columns, rounded up. */
    void (*reduce)(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work);
    /* Twice as many, or one less. */
    void (*expand)(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work);
    /* A tile of S_k. `seen` may be NULL; its planes are written for the same tile. */
    void (*respond)(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, float *work);
    /* sum += coarse expanded, with reflected samples at the ends; coarse NULL: only those. */
    void (*add)(const FvVdmPlane *coarse, const FvVdmPlane *sum, float *work);
    /* The map from the finest sum and the sum of all coarser levels, which is NULL when there is one level. */
    void (*jnd)(const FvVdmPlane *sum, const FvVdmPlane *coarse, float inverse_q, int row, int rows,
                const FvVdmPlane *to, float *work);
    /* A row, or a segment of one: adds to `count`, writes `sums`. */
    void (*count)(const float *row, int width, FvVdmCount *count, FvVdmSums *sums);
} FvVdmKernels;

FV_FAMILY(FvVdmKernels, fv_vdm_kernels)

/* Floats of `work` for pictures up to this width. */
static inline size_t fv_vdm_work_floats(int width)
{
    size_t rows = 9 * (size_t)fv_vdm_stride(width) + FV_VDM_MARGIN; /* the widest optics; pyramids need fewer */
    size_t wide = FV_VDM_TILE_WIDTH + 20, high = FV_VDM_TILE_HEIGHT + 16;
    size_t tile = 11 * wide * high; /* the reference's; the others keep rings of rows */
    return rows > tile ? rows : tile;
}

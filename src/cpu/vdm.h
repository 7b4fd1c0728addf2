/* Kernels of the visual discrimination model on the CPU. docs/metrics/vdm.md */
#pragma once

#include <math.h>

#include "base/isa.h"
#include "cpu/vdm_plane.h"

/* The eye's point spread on the grid of samples: a weight for each class (a, b) of offsets, 0 <= b <= a <= radius. */
#define FV_VDM_RADIUS 4 /* maximum radius in samples */
typedef struct FvVdmSpread {
    int radius;       /* 0: no optics */
    float weight[15]; /* weight of class (a, b) at index a (a + 1) / 2 + b */
} FvVdmSpread;

/* Parameters of fv_vdm_response() in arith/vdm.h. */
typedef struct FvVdmTransducer {
    float half_n, half_difference, kappa, gain;
    int square;
} FvVdmTransducer;

#define FV_VDM_NODES 193 /* nodes of a table of weights */

/* Conversion of samples to the luminance on the retina. */
typedef struct FvVdmOptics {
    int width, height;
    /* Bytes per sample: 1 or 2; or 4: binary32 luminance in cd/m2, for which no table is used. */
    int bytes;
    const float *display; /* luminance of each code, in cd/m2 */
    uint16_t greatest;    /* the last code of the table */
    FvVdmSpread spread;
} FvVdmOptics;

/* The inputs and the result of a level's responses; index [0] is the reference, [1] the distorted frame. */
typedef struct FvVdmLevel {
    FvVdmPlane gauss[2];  /* G_k, this level of the Gaussian pyramid */
    FvVdmPlane coarse[2]; /* G_{k+1}, the next coarser level */
    FvVdmPlane mean[2];   /* U_{k+1}: G_{k+2}, expanded to the size of G_{k+1} */
    FvVdmPlane sum;       /* S_k, the result */
    const float *weights; /* sensitivity weights at FV_VDM_NODES luminances */
    FvVdmTransducer transducer;
    float q;
    int pool; /* width of the window of means, in samples: 1 or 5 */
} FvVdmLevel;

/*
 * Intermediate results. The kernel writes those whose plane pointer is not NULL, with the stride level->sum.stride.
 */
typedef enum FvVdmStage {
    FV_VDM_CONTRAST,
    FV_VDM_ADAPTATION,
    FV_VDM_ENERGY,                       /* four planes, one per orientation */
    FV_VDM_RESPONSE = FV_VDM_ENERGY + 4, /* four planes, one per orientation, after the transducer */
    FV_VDM_STAGES = FV_VDM_RESPONSE + 4
} FvVdmStage;
typedef struct FvVdmSeen {
    float *plane[2][FV_VDM_STAGES];
} FvVdmSeen;

/* A rectangle of a level: at most FV_VDM_TILE_WIDTH columns and FV_VDM_TILE_HEIGHT rows. */
#define FV_VDM_TILE_WIDTH 124
#define FV_VDM_TILE_HEIGHT 128
typedef struct FvVdmTile {
    int x, y, width, height;
} FvVdmTile;

/* Statistics of some rows of a map. */
#define FV_VDM_BINS 32768 /* number of bins: one for each value of the upper 16 bits of a nonnegative float */
typedef struct FvVdmCount {
    float least, greatest; /* minimum and maximum */
    uint64_t visible;      /* number of samples of at least 1 JND */
    uint32_t *bins;        /* FV_VDM_BINS counters */
} FvVdmCount;

/* Sums over a row of at most FV_VDM_SEGMENT samples, in units of 2^-26. Each JND counts as at most FV_VDM_LIMIT. */
#define FV_VDM_SEGMENT 8192
typedef struct FvVdmSums {
    uint64_t jnd, square, fourth;
} FvVdmSums;

static inline uint64_t fv_vdm_fixed(float x)
{
    return (uint64_t)floor(x * 67108864.0 + 0.5);
}

/* Returns the summands of one sample. limit: FV_VDM_LIMIT. */
static inline FvVdmSums fv_vdm_summands(float jnd, float limit)
{
    const float limited = jnd < limit ? jnd : limit, square = limited * limited;
    return (FvVdmSums){fv_vdm_fixed(limited), fv_vdm_fixed(square), fv_vdm_fixed(square * square)};
}

/*
 * Kernels may read inputs and write outputs up to FV_VDM_BEHIND floats after the last sample of a row, and
 * FV_VDM_MARGIN floats before the first. Inputs have two reflected samples at each end; kernels write them to outputs
 * as well, except to `sum` of a level. work: fv_vdm_work_floats() floats.
 */
typedef struct FvVdmKernels {
    /*
     * Computes rows [row, row + rows) of a frame on the retina. May read FV_ROW_PADDING bytes after a row of samples.
     */
    void (*optics)(const FvVdmOptics *optics, const uint8_t *samples, ptrdiff_t stride, int row, int rows,
                   const FvVdmPlane *to, float *work);
    /* Halves a level in both directions, rounded up. */
    void (*reduce)(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work);
    /* Doubles a level in both directions; a side of `to` may be one less than twice that of `from`. */
    void (*expand)(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work);
    /* Computes a tile of S_k. `seen` may be NULL; else the kernel writes its planes for the same tile. */
    void (*respond)(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, float *work);
    /*
     * Adds the expanded `coarse` to `sum`, with reflected samples at the ends. If `coarse` is NULL, writes only the
     * reflected samples.
     */
    void (*add)(const FvVdmPlane *coarse, const FvVdmPlane *sum, float *work);
    /*
     * Computes the map from the sum of the finest level and the sum of all coarser levels; the latter is NULL for one
     * level.
     */
    void (*jnd)(const FvVdmPlane *sum, const FvVdmPlane *coarse, float inverse_q, int row, int rows,
                const FvVdmPlane *to, float *work);
    /* Adds a row, or a segment of a row, to `count`, and writes its `sums`. */
    void (*count)(const float *row, int width, FvVdmCount *count, FvVdmSums *sums);
} FvVdmKernels;

FV_FAMILY(FvVdmKernels, fv_vdm_kernels)

/* Returns the floats of `work` for frames that are up to `width` samples wide. */
static inline size_t fv_vdm_work_floats(int width)
{
    /* For optics of the maximum radius; pyramids need fewer rows. */
    size_t rows = 9 * (size_t)fv_vdm_stride(width) + FV_VDM_MARGIN;
    size_t wide = FV_VDM_TILE_WIDTH + 20, high = FV_VDM_TILE_HEIGHT + 16;
    size_t tile = 11 * wide * high; /* for the reference in cpu/scalar/; the vector kernels keep rings of rows */
    return rows > tile ? rows : tile;
}

/* Kernels of SpEED on the CPU, and the intermediate results of one side of one plane. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

#define FV_SPEED_TAPS 35 /* maximum number of taps of the antialias filter */
#define FV_SPEED_LOCAL 9 /* maximum number of taps of the local mean */
#define FV_SPEED_ROW 32  /* floats per matrix row: 25 elements, padded */

/* Constants of a run. docs/metrics/speed.md uses the same names for the sizes. */
typedef struct FvSpeedShape {
    int width, height;               /* size of the plane that is read */
    int scaled_width, scaled_height; /* size after resizing */
    int columns, rows;               /* size of the operating plane */
    int stride;                      /* distance between rows of the operating plane, in floats */
    int across, down, blocks;
    int window_width, window_height; /* number of positions of a sliding block */
    int taps, local_taps;
    float tap[FV_SPEED_TAPS];      /* taps of the antialias filter */
    float down_tap[FV_SPEED_TAPS]; /* the same taps for rows of samples: divided by 2^(depth - 8) */
    float local_tap[FV_SPEED_LOCAL];
    float sigma; /* neural noise */
    int weight_mode;
} FvSpeedShape;

/* The input rows under the vertical taps of one output row, from top to bottom. */
typedef struct FvSpeedRows {
    const void *plus[FV_SPEED_TAPS];
    const void *minus[FV_SPEED_TAPS];  /* rows to subtract; minus[0] NULL: subtract `level` instead */
    ptrdiff_t plus_ahead, minus_ahead; /* offset in bytes to the rows that the next calls read, for prefetching */
    int level;
    int bytes; /* bytes per sample; 4: floats, from which nothing is subtracted */
} FvSpeedRows;

/* The matrices of one side (reference or distorted) of one plane of one frame. */
typedef struct FvSpeedSide {
    float mean[FV_SPEED_ROW];
    float covariance[25][FV_SPEED_ROW];
    /* The tridiagonal matrix; after the iteration, `diagonal` holds the eigenvalues. */
    float diagonal[FV_SPEED_ROW], beside[FV_SPEED_ROW];
    /* Q K = R, with R upper triangular and K the covariance matrix. */
    float q[25][FV_SPEED_ROW], r[25][FV_SPEED_ROW];
    int32_t singular;
} FvSpeedSide;

/* Working memory for one row of the scaled plane, mirrored at both ends. The first column is at FV_SPEED_MARGIN. */
#define FV_SPEED_MARGIN 48

static inline size_t fv_speed_work_floats(const FvSpeedShape *shape)
{
    return FV_SPEED_MARGIN + FV_ROUND_UP((size_t)shape->scaled_width + FV_SPEED_TAPS / 2, 16);
}

/*
 * Rows of planes are shape->stride floats apart. Kernels may read rows of samples 64 bytes past their end. Matrix
 * rows have FV_SPEED_ROW floats; those after the 25th are unspecified.
 */
typedef struct FvSpeedKernels {
    /* Computes one row of the operating plane. work: fv_speed_work_floats() floats. */
    void (*decimate)(const FvSpeedShape *shape, const FvSpeedRows *rows, float *work, float *row);
    /* Subtracts the local mean: plane = low - mean. work: columns + 2 * FV_SPEED_LOCAL + 64 floats. */
    void (*high_pass)(const FvSpeedShape *shape, const float *low, float *work, float *plane);
    /* Computes the means of the 25 sliding windows. */
    void (*means)(const FvSpeedShape *shape, const float *plane, float *mean);
    /* Computes part `part` of `parts` of the covariance matrix. All parts together write the whole matrix. */
    void (*covariance)(const FvSpeedShape *shape, const float *plane, const float *mean, int part, int parts,
                       float (*covariance)[FV_SPEED_ROW]);
    /* Computes a tridiagonal matrix with the same eigenvalues: its diagonal, and the 24 entries next to it. */
    void (*tridiagonal)(const float (*covariance)[FV_SPEED_ROW], float *diagonal, float *beside);
    /* Computes an orthogonal q with q * covariance = r, an upper triangular matrix. */
    void (*factor)(const float (*covariance)[FV_SPEED_ROW], float (*q)[FV_SPEED_ROW], float (*r)[FV_SPEED_ROW]);
    /* Computes variance and entropy of blocks [first, last), in whole vectors: first is a multiple of 64. */
    void (*blocks)(const FvSpeedShape *shape, const float *plane, const FvSpeedSide *side, int first, int last,
                   float *variance, float *entropy);
    /* Computes the weighted entropies of the reference and the distorted blocks. */
    void (*information)(const FvSpeedShape *shape, const float *const variance[2], const float *const entropy[2],
                        float *const information[2]);
} FvSpeedKernels;

FV_FAMILY(FvSpeedKernels, fv_speed_kernels)

/*
 * Replaces the diagonal of a tridiagonal matrix by its eigenvalues, in the order in which the iteration leaves them.
 * Destroys `beside`.
 */
void fv_eigenvalues(float *diagonal, float *beside, int n);

/* Kernels of SpEED on the CPU, and the numbers that one side of one plane goes through. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

#define FV_SPEED_TAPS 35 /* maximum number of taps of the antialias filter */
#define FV_SPEED_LOCAL 9 /* taps of the local mean, at most */
#define FV_SPEED_ROW 32  /* a row of 25 elements, padded */

/* Fixed for a run. The names of the sizes are those of docs/metrics/speed.md. */
typedef struct FvSpeedShape {
    int width, height;               /* size of the plane that is read */
    int scaled_width, scaled_height; /* after resizing */
    int columns, rows;               /* operating plane */
    int stride;                      /* floats from row to row of it */
    int across, down, blocks;
    int window_width, window_height; /* positions of a sliding block */
    int taps, local_taps;
    float tap[FV_SPEED_TAPS];      /* antialias filter */
    float down_tap[FV_SPEED_TAPS]; /* the same for rows of samples: divided by 2^(depth - 8) */
    float local_tap[FV_SPEED_LOCAL];
    float sigma; /* neural noise */
    int weight_mode;
} FvSpeedShape;

/* The rows under the vertical taps of one kept row, top to bottom. */
typedef struct FvSpeedRows {
    const void *plus[FV_SPEED_TAPS];
    const void *minus[FV_SPEED_TAPS];  /* subtracted; NULL in the first: `level` is */
    ptrdiff_t plus_ahead, minus_ahead; /* bytes to the rows that will be read next, which are prefetched */
    int level;
    int bytes; /* bytes per sample; 4: floats, from which nothing is subtracted */
} FvSpeedRows;

/* The matrices of one side of one plane of one frame. */
typedef struct FvSpeedSide {
    float mean[FV_SPEED_ROW];
    float covariance[25][FV_SPEED_ROW];
    float diagonal[FV_SPEED_ROW], beside[FV_SPEED_ROW]; /* eigenvalues after the iteration */
    float q[25][FV_SPEED_ROW], r[25][FV_SPEED_ROW];     /* Q K = R, of upper triangular form */
    int32_t singular;
} FvSpeedSide;

/* Room for one row of the scaled plane, mirrored at both ends: sums begin FV_SPEED_MARGIN after the start. */
#define FV_SPEED_MARGIN 48

static inline size_t fv_speed_work_floats(const FvSpeedShape *shape)
{
    return FV_SPEED_MARGIN + FV_ROUND_UP((size_t)shape->scaled_width + FV_SPEED_TAPS / 2, 16);
}

/*
 * Planes have rows of shape->stride floats; rows of samples may be read 64 bytes past their end. Matrices have rows
 * of FV_SPEED_ROW floats, with anything after the 25th.
 */
typedef struct FvSpeedKernels {
    /* One row of the operating plane. `work`: fv_speed_work_floats. */
    void (*decimate)(const FvSpeedShape *shape, const FvSpeedRows *rows, float *work, float *row);
    /* plane = low - its local mean. `work`: columns + 2 * FV_SPEED_LOCAL + 64 floats. */
    void (*high_pass)(const FvSpeedShape *shape, const float *low, float *work, float *plane);
    /* Means of the 25 sliding windows. */
    void (*means)(const FvSpeedShape *shape, const float *plane, float *mean);
    /* Part `part` of `parts` of the covariance matrix: together they write all of it. */
    void (*covariance)(const FvSpeedShape *shape, const float *plane, const float *mean, int part, int parts,
                       float (*covariance)[FV_SPEED_ROW]);
    /* A tridiagonal matrix with the same eigenvalues: its diagonal and the 24 entries next to it. */
    void (*tridiagonal)(const float (*covariance)[FV_SPEED_ROW], float *diagonal, float *beside);
    /* Orthogonal q with q * covariance = r. */
    void (*factor)(const float (*covariance)[FV_SPEED_ROW], float (*q)[FV_SPEED_ROW], float (*r)[FV_SPEED_ROW]);
    /* Variance and entropy of blocks [first, last), for whole vectors: first is a multiple of 64. */
    void (*blocks)(const FvSpeedShape *shape, const float *plane, const FvSpeedSide *side, int first, int last,
                   float *variance, float *entropy);
    /* Weighted entropies of the reference and the distorted blocks. */
    void (*information)(const FvSpeedShape *shape, const float *const variance[2], const float *const entropy[2],
                        float *const information[2]);
} FvSpeedKernels;

FV_FAMILY(FvSpeedKernels, fv_speed_kernels)

/* From diagonal and beside to eigenvalues in `diagonal`, in the order in which the iteration leaves them. */
void fv_eigenvalues(float *diagonal, float *beside, int n);

/* Kernels of ColorVideoVDP on the CPU. docs/metrics/cvvdp.md */
#pragma once

#include "base/isa.h"
#include "cpu/vdm_plane.h"

#define FV_CVVDP_CHANNELS 4 /* sustained Y, rg, yv, and transient Y, which pictures lack */
#define FV_CVVDP_PLANES 8   /* [2 * channel + picture]; pictures: 0 distorted, 1 reference */
#define FV_CVVDP_NODES 672  /* nodes of a table of sensitivities; one more ends it */
#define FV_CVVDP_HALF 60    /* taps on each side of the longest temporal filter */
#define FV_CVVDP_BLOCK 16   /* columns of a block of the history */
#define FV_CVVDP_RADIUS 6   /* radius of the blur of masks */
#define FV_CVVDP_GROUP 8    /* rows that are added in binary32 before they become integers */
#define FV_CVVDP_TILE 256   /* columns of a tile */
#define FV_CVVDP_TILE_ROWS 128

/* From linear light, in cd/m2 unless `hlg`, to opponent planes. */
typedef struct FvCvvdpOpponent {
    bool hlg;
    float gamma_1, exposure, span, base; /* parameters of hlg */
    float matrix[3][3];
} FvCvvdpOpponent;

/* Symmetric filters in time: their taps from the centre outwards. */
typedef struct FvCvvdpTime {
    int half;
    float tap[FV_CVVDP_CHANNELS][FV_CVVDP_HALF + 1];
} FvCvvdpTime;

/* The opponent planes Y, rg, yv of both pictures of one frame, in columns of one row. */
typedef float FvCvvdpBlock[2][3][FV_CVVDP_BLOCK];

/* The sums of a frame's filters without their last tap, for the frame that is not there yet. */
typedef float FvCvvdpBegun[FV_CVVDP_PLANES][FV_CVVDP_BLOCK];

typedef struct FvCvvdpMasking {
    float blur[FV_CVVDP_RADIUS + 1]; /* from the centre outwards */
    float gain;                      /* gain of masks */
    float q[FV_CVVDP_CHANNELS], zero_q[FV_CVVDP_CHANNELS];
    float cross[FV_CVVDP_CHANNELS][FV_CVVDP_CHANNELS]; /* [masking channel][masked channel] */
    float p, zero_p, ceiling;
} FvCvvdpMasking;

/* From differences to the heat map. */
typedef struct FvCvvdpMap {
    float weight[FV_CVVDP_CHANNELS];
    float zero_fourth, zero_root; /* what the powers make of nothing */
    float slope, scale, exponent; /* parameters of fv_cvvdp_jod() */
} FvCvvdpMap;

/* A sum in integers: limb[0] * 2^-10 + limb[1] * 2^-40. */
typedef struct FvCvvdpSum {
    uint64_t limb[2];
} FvCvvdpSum;

/* A part of a band. */
typedef struct FvCvvdpTile {
    const FvVdmPlane *fine, *coarse;            /* FV_CVVDP_PLANES of this level and the next */
    int channels;                               /* 3 or FV_CVVDP_CHANNELS */
    int x, y, width, height;                    /* x is a multiple of FV_CVVDP_TILE, y of FV_CVVDP_GROUP */
    const float (*nodes)[FV_CVVDP_CHANNELS][2]; /* sensitivity at each node, and how much more at the next */
    const FvCvvdpMasking *masking;
    const FvCvvdpMap *map;
    const FvVdmPlane *drawn; /* NULL, or where the band of the map goes */
    float share;             /* share of this band in the sum */
} FvCvvdpTile;

/* Rows may be read and written FV_VDM_BEHIND floats behind their last sample. `work`: fv_cvvdp_work_floats. */
typedef struct FvCvvdpKernels {
    /* Columns of a row in whole blocks, of which each is `step` floats behind the one before. */
    void (*opponent)(const FvCvvdpOpponent *opponent, const float *const light[3], int columns, float *const to[3],
                     ptrdiff_t step);
    /*
     * A row in whole blocks, from those of the frames that the filters see: the i-th frame's, oldest first, lie side
     * by side from row[order[i]] on. `to`: FV_CVVDP_PLANES, 64-byte aligned, or NULL. Every second frame is `begun`:
     * `next` holds its sums, for which the frames are not read again. Otherwise `next` gets the sums of the next
     * frame. Both are 64-byte aligned.
     */
    void (*filter)(const FvCvvdpTime *time, const FvCvvdpBlock *row, const ptrdiff_t *order, int columns,
                   float *const *to, FvCvvdpBegun *next, bool begun);
    /* Half as many rows and columns, rounded up: rows [row, row + rows) of `to`. */
    void (*reduce)(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work);
    /* Adds to the sums of each channel. */
    void (*tile)(const FvCvvdpTile *tile, FvCvvdpSum *sums, float *work);
    /* sum += coarse expanded, in some rows; then, when `map` is not NULL, JOD. */
    void (*add)(const FvVdmPlane *coarse, int row, int rows, const FvCvvdpMap *map, const FvVdmPlane *sum,
                float *work);
} FvCvvdpKernels;

FV_FAMILY(FvCvvdpKernels, fv_cvvdp_kernels)

static inline int fv_cvvdp_clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Reflection about the sample at the edge. */
static inline int fv_cvvdp_reflect(int i, int n)
{
    return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

/* Floats of `work` for levels up to this width. */
static inline size_t fv_cvvdp_work_floats(int width)
{
    size_t rows = 2 * (size_t)fv_vdm_stride(width) + 2 * FV_VDM_MARGIN;
    size_t wide = FV_CVVDP_TILE + 64, tile = 340 * wide; /* the reference keeps planes, the others rings of rows */
    size_t planes = 9 * wide * (FV_CVVDP_TILE_ROWS + 2 * FV_CVVDP_RADIUS);
    tile = tile > planes ? tile : planes;
    return rows > tile ? rows : tile;
}

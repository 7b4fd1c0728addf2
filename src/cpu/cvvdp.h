/* Kernels of ColorVideoVDP on the CPU. docs/metrics/cvvdp.md */
#pragma once

#include "base/isa.h"
#include "cpu/vdm_plane.h"

#define FV_CVVDP_CHANNELS 4 /* sustained Y, rg and yv, and transient Y, which single frames lack */
#define FV_CVVDP_PLANES 8   /* plane [2 * channel + side]; side 0: distorted, 1: reference */
#define FV_CVVDP_NODES 672  /* nodes of a table of sensitivities, not counting the extra last one */
#define FV_CVVDP_HALF 60    /* maximum taps on each side of a temporal filter's centre */
#define FV_CVVDP_BLOCK 16   /* columns per block of the frame history */
#define FV_CVVDP_RADIUS 6   /* radius in samples of the blur of masks */
#define FV_CVVDP_GROUP 8    /* rows per group, which are summed in binary32; the sums of groups become integers */
#define FV_CVVDP_TILE 256   /* columns of a tile */
#define FV_CVVDP_TILE_ROWS 128

/* Conversion of linear light to opponent planes. Light is in cd/m2; with `hlg` it is HLG's scene light. */
typedef struct FvCvvdpOpponent {
    bool hlg;
    float gamma_1, exposure, span, base; /* parameters of fv_cvvdp_hlg() */
    float matrix[3][3];
} FvCvvdpOpponent;

/* The symmetric filters in time: their taps from the centre outwards. */
typedef struct FvCvvdpTime {
    int half;
    float tap[FV_CVVDP_CHANNELS][FV_CVVDP_HALF + 1];
} FvCvvdpTime;

/* The opponent planes Y, rg, yv of both sides of one frame pair, in FV_CVVDP_BLOCK columns of one row. */
typedef float FvCvvdpBlock[2][3][FV_CVVDP_BLOCK];

/* The sums of a frame's temporal filters without the last tap, whose frame has not arrived yet. */
typedef float FvCvvdpBegun[FV_CVVDP_PLANES][FV_CVVDP_BLOCK];

typedef struct FvCvvdpMasking {
    float blur[FV_CVVDP_RADIUS + 1]; /* weights of the blur from the centre outwards */
    float gain;                      /* factor of the masks */
    float q[FV_CVVDP_CHANNELS], zero_q[FV_CVVDP_CHANNELS];
    float cross[FV_CVVDP_CHANNELS][FV_CVVDP_CHANNELS]; /* [masking channel][masked channel] */
    float p, zero_p, ceiling;
} FvCvvdpMasking;

/* Conversion of the bands' differences to the heat map. */
typedef struct FvCvvdpMap {
    float weight[FV_CVVDP_CHANNELS];
    float zero_fourth, zero_root; /* results of the powers for a difference of 0, which are subtracted */
    float slope, scale, exponent; /* parameters of fv_cvvdp_jod() */
} FvCvvdpMap;

/* A sum as integers: limb[0] * 2^-10 + limb[1] * 2^-40. */
typedef struct FvCvvdpSum {
    uint64_t limb[2];
} FvCvvdpSum;

/* A rectangle of a band. */
typedef struct FvCvvdpTile {
    /* The FV_CVVDP_PLANES planes of this level, and of the next coarser one. */
    const FvVdmPlane *fine, *coarse;
    int channels;                               /* number of channels: 3 or FV_CVVDP_CHANNELS */
    int x, y, width, height;                    /* x is a multiple of FV_CVVDP_TILE, y of FV_CVVDP_GROUP */
    const float (*nodes)[FV_CVVDP_CHANNELS][2]; /* sensitivity at each node, and the increase to the next node */
    const FvCvvdpMasking *masking;
    const FvCvvdpMap *map;
    const FvVdmPlane *drawn; /* receives the band of the map, or NULL */
    float share;             /* weight of this band in the map's sum */
} FvCvvdpTile;

/*
 * Kernels may read and write FV_VDM_BEHIND floats after the last sample of a row. work: fv_cvvdp_work_floats()
 * floats.
 */
typedef struct FvCvvdpKernels {
    /* Converts a row to opponent planes, in whole blocks; consecutive blocks are `step` floats apart. */
    void (*opponent)(const FvCvvdpOpponent *opponent, const float *const light[3], int columns, float *const to[3],
                     ptrdiff_t step);
    /*
     * Filters a row in time, in whole blocks. The frames under the filters, oldest first, have their blocks side by
     * side from row[order[i]] on. to: FV_CVVDP_PLANES rows, 64-byte aligned, or NULL. next: 64-byte aligned sums.
     * begun: true for every second frame; then `next` holds the frame's sums from the previous call, and only the
     * last tap is added. Otherwise the call computes this frame's sums, and the next frame's sums in `next`.
     */
    void (*filter)(const FvCvvdpTime *time, const FvCvvdpBlock *row, const ptrdiff_t *order, int columns,
                   float *const *to, FvCvvdpBegun *next, bool begun);
    /* Halves a level in both directions, rounded up; computes rows [row, row + rows) of `to`. */
    void (*reduce)(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work);
    /* Adds the differences of a tile to the sum of each channel. */
    void (*tile)(const FvCvvdpTile *tile, FvCvvdpSum *sums, float *work);
    /*
     * Adds the expanded `coarse` to rows [row, row + rows) of `sum`; if `map` is not NULL, then converts them to
     * units of 10 JOD.
     */
    void (*add)(const FvVdmPlane *coarse, int row, int rows, const FvCvvdpMap *map, const FvVdmPlane *sum,
                float *work);
} FvCvvdpKernels;

FV_FAMILY(FvCvvdpKernels, fv_cvvdp_kernels)

/* Returns the floats of `work` for levels that are up to `width` samples wide. */
static inline size_t fv_cvvdp_work_floats(int width)
{
    size_t rows = 2 * (size_t)fv_vdm_stride(width) + 2 * FV_VDM_MARGIN;
    /* The reference in cpu/scalar/ keeps planes, the vector kernels keep rings of rows. */
    size_t wide = FV_CVVDP_TILE + 64, tile = 340 * wide;
    size_t planes = 9 * wide * (FV_CVVDP_TILE_ROWS + 2 * FV_CVVDP_RADIUS);
    tile = tile > planes ? tile : planes;
    return rows > tile ? rows : tile;
}

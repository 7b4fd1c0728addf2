/* Kernels of SSIMULACRA 2 on the CPU: they compute all of one tile of a pyramid level. */
#pragma once

#include "cpu/light.h"

#define FV_SS2_LEVELS 6
#define FV_SS2_CHANNELS 3 /* X, Y, B */
#define FV_SS2_TERMS 6    /* sums of dissimilarity, ringing and blur, then sums of their fourth powers */
#define FV_SS2_GROUP 8    /* rows per group, which are summed in binary32; the sums of groups become integers */
#define FV_SS2_TILE 128   /* columns and rows of a tile */
#define FV_SS2_ROW 152    /* floats of a row: the tile, 4 columns on each side, and room for a vector */
/* Floats that the analysis of a tile needs per channel: the tile with 4 rows on each side, and its means. */
#define FV_SS2_KEPT_FLOATS ((size_t)(FV_SS2_TILE + 8) * FV_SS2_ROW + FV_SS2_TILE * FV_SS2_TILE)

/* A frame at a level: samples at level 0, linear light at the others. */
typedef struct FvSs2Picture {
    const uint8_t *sample[3];
    ptrdiff_t sample_stride[3]; /* distance between rows in bytes */
    const float *light[3];      /* R, G, B */
    ptrdiff_t light_stride;     /* distance between rows in floats */
} FvSs2Picture;

/* A sum as integers: (limb[0] * 2^-11 + limb[1] * 2^-41) + limb[2] * 2^-71. */
typedef struct FvSs2Sum {
    uint64_t limb[3];
} FvSs2Sum;

typedef struct FvSs2Tile {
    const FvLight *light;
    int sample_bytes;                 /* bytes per sample; 0: the level's light is already in `picture` */
    int width, height;                /* size of the level */
    int x0, y0, x1, y1;               /* columns [x0, x1), rows [y0, y1); x0 and y0 are multiples of FV_SS2_TILE */
    FvSs2Picture picture[2];          /* reference, distorted */
    float *half[2][3];                /* receives the next level's light; NULL: not wanted */
    ptrdiff_t half_stride;            /* floats; rows have room for a vector after their end */
    float *analysis;                  /* the reference's analysis, FV_SS2_KEPT_FLOATS per needed channel, or NULL */
    unsigned wanted[FV_SS2_CHANNELS]; /* bit i: the caller needs term i */
    float *map;                       /* receives the level's error map instead of sums; or NULL */
    const float *coarser;             /* the next coarser level's map, or NULL */
    ptrdiff_t map_stride, coarser_stride;          /* distances between rows in floats */
    float gain[FV_SS2_CHANNELS][FV_SS2_TERMS / 2]; /* factor of each kind of difference in the map */
} FvSs2Tile;

typedef struct FvSs2Kernels {
    /*
     * Analyses the reference. `measure` of the same instruction set then reads the analysis instead of the reference.
     */
    void (*analyse)(const FvSs2Tile *tile, void *scratch);
    void (*measure)(const FvSs2Tile *tile, FvSs2Sum sums[FV_SS2_CHANNELS][FV_SS2_TERMS], void *scratch);
    size_t scratch_bytes;
} FvSs2Kernels;

FV_FAMILY(FvSs2Kernels, fv_ss2_kernels)

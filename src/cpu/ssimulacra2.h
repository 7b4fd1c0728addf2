/* Kernels of SSIMULACRA 2 on the CPU: everything that happens to a tile of a level. */
#pragma once

#include "cpu/light.h"

#define FV_SS2_LEVELS 6
#define FV_SS2_CHANNELS 3 /* X, Y, B */
#define FV_SS2_TERMS 6    /* sums of what is unlike, of ringing, of what is lost; then of their fourth powers */
#define FV_SS2_GROUP 8    /* rows that are added in binary32 before they become integers */
#define FV_SS2_TILE 128   /* columns and rows of a tile */
#define FV_SS2_ROW 152    /* floats of a row with 4 columns on either side, and a vector behind */
/* Floats per needed channel in a tile's analysis: the tile with 4 rows on either side, and its means. */
#define FV_SS2_KEPT_FLOATS ((size_t)(FV_SS2_TILE + 8) * FV_SS2_ROW + FV_SS2_TILE * FV_SS2_TILE)

/* A picture at a level: samples at level 0, then linear light. */
typedef struct FvSs2Picture {
    const uint8_t *sample[3];
    ptrdiff_t sample_stride[3]; /* bytes */
    const float *light[3];      /* R, G, B */
    ptrdiff_t light_stride;     /* floats */
} FvSs2Picture;

/* A sum in integers: ((limb[0] * 2^-11 + limb[1] * 2^-41) + limb[2] * 2^-71. */
typedef struct FvSs2Sum {
    uint64_t limb[3];
} FvSs2Sum;

typedef struct FvSs2Tile {
    const FvLight *light;
    int sample_bytes;        /* 0: the level's light is there already */
    int width, height;       /* size of the level */
    int x0, y0, x1, y1;      /* x0 and y0 are multiples of FV_SS2_TILE */
    FvSs2Picture picture[2]; /* reference, distorted */
    float *half[2][3];       /* where the next level's light goes; NULL: nowhere */
    ptrdiff_t half_stride;   /* floats; rows hold a vector behind their end */
    float *analysis;         /* analysis of the reference, FV_SS2_KEPT_FLOATS for each needed channel; or NULL */
    unsigned wanted[FV_SS2_CHANNELS];              /* bit i: term i is summed */
    float *map;                                    /* NULL, or the level's error map, which is made instead of sums */
    const float *coarser;                          /* the next level's map, or NULL */
    ptrdiff_t map_stride, coarser_stride;          /* floats */
    float gain[FV_SS2_CHANNELS][FV_SS2_TERMS / 2]; /* gain of each kind of difference in the map */
} FvSs2Tile;

typedef struct FvSs2Kernels {
    /* Makes the reference's analysis, which `measure` of this instruction set then takes instead of the reference. */
    void (*analyse)(const FvSs2Tile *tile, void *scratch);
    void (*measure)(const FvSs2Tile *tile, FvSs2Sum sums[FV_SS2_CHANNELS][FV_SS2_TERMS], void *scratch);
    size_t scratch_bytes;
} FvSs2Kernels;

FV_FAMILY(FvSs2Kernels, fv_ss2_kernels)

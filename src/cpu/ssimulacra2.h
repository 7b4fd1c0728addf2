/* Kernels of SSIMULACRA 2 on the CPU: everything that happens to a tile of a level. */
#pragma once

#include "cpu/light.h"

#define FV_SS2_LEVELS 6
#define FV_SS2_CHANNELS 3 /* X, Y, B */
#define FV_SS2_TERMS 6    /* sums of what is unlike, of ringing, of what is lost; then of their fourth powers */
#define FV_SS2_GROUP 8    /* rows that are added in binary32 before they become integers */
#define FV_SS2_TILE 128   /* columns and rows of a tile */

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
    int level, width, height;                      /* of the level */
    int x0, y0, x1, y1;                            /* x0 and y0 are multiples of FV_SS2_TILE */
    FvSs2Picture picture[2];                       /* reference, distorted */
    float *half[2][3];                             /* where the next level's light goes; NULL: nowhere */
    ptrdiff_t half_stride;                         /* floats; rows hold a vector behind their end */
    unsigned wanted[FV_SS2_CHANNELS];              /* bit i: term i is summed */
    float *map;                                    /* NULL, or the level's error map, which is made instead of sums */
    const float *coarser;                          /* the next level's map, or NULL */
    ptrdiff_t map_stride, coarser_stride;          /* floats */
    float gain[FV_SS2_CHANNELS][FV_SS2_TERMS / 2]; /* of each kind of difference in the map */
} FvSs2Tile;

typedef void FvSs2Kernel(const FvSs2Tile *tile, FvSs2Sum sums[FV_SS2_CHANNELS][FV_SS2_TERMS], void *scratch);

typedef struct FvSs2Kernels {
    FvSs2Kernel *first8, *first16; /* level 0, from bytes and from words */
    FvSs2Kernel *next;             /* the others */
    size_t scratch_bytes;
} FvSs2Kernels;

FV_FAMILY(FvSs2Kernels, fv_ss2_kernels)

/* Kernels of SSIMULACRA 2 on the CPU: everything that happens to a tile of a level. */
#ifndef FV_CPU_SSIMULACRA2_H
#define FV_CPU_SSIMULACRA2_H

#include "isa.h"

#define FV_SS2_LEVELS 6
#define FV_SS2_CHANNELS 3 /* X, Y, B */
#define FV_SS2_TERMS 6    /* sums of what is unlike, of ringing, of what is lost; then of their fourth powers */
#define FV_SS2_GROUP 8    /* rows that are added in binary32 before they become integers */
#define FV_SS2_CURVE 4096 /* steps of the table from R'G'B' to linear light */
#define FV_SS2_TILE 128   /* columns and rows of a tile */

/* How chroma lies among luma in one direction. */
typedef enum FvSs2Siting { FV_SS2_FULL, FV_SS2_COSITED, FV_SS2_CENTRED } FvSs2Siting;

/* From samples to linear light. Constant during a run. */
typedef struct FvSs2Light {
    int width, height, chroma_width, chroma_height; /* chroma_width 0: there is luma only */
    bool rgb;                                       /* the planes are R'G'B' */
    FvSs2Siting across, down;
    int luma_zero,
        chroma_zero; /* subtracted from samples, and from interpolated chroma, which is unit times as great */
    float luma_scale, chroma_scale;
    struct FvSs2Matrix {
        float rv, gu, gv, bu;
    } matrix;
    const float (*curve)[2]; /* [step]: linear light there, and how much more at the next step */
    float hlg;               /* factor of HLG's system gamma; 0 for other curves */
    bool wide;               /* BT.2020's primaries */
} FvSs2Light;

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
    const FvSs2Light *light;
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

/* Weights of four neighbours from `first` on for an even and an odd place at index i: see cpu/scalar/ssimulacra2.c.
 */
typedef struct FvSs2Taps {
    int first, count;
    int weight[4];
} FvSs2Taps;

FvSs2Taps fv_ss2_taps(FvSs2Siting siting, int place);

FV_FAMILY(FvSs2Kernels, fv_ss2_kernels)

#endif

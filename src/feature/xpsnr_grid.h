/* XPSNR's blocks of a picture: their geometry, their weights and the weighted error of a plane. */
#pragma once

#include "cpu/xpsnr.h"
#include "fovea/fovea.h"

/* The picture's division into blocks. side is 0 for a picture too small to be weighted. */
typedef struct FvXpsnrGrid {
    int width, height, depth;
    int planes, plane_width[3], plane_height[3];
    int side, across, down; /* size in luma samples and number of blocks; the last column and row may be smaller */
    int block_width[3], block_height[3];
    bool coarse; /* above 2048x1152: only every second sample of every second row is measured */
    bool smooth; /* small enough for weights to be capped by those of their neighbours */
    int order;   /* order of the temporal difference */
    double factor;
} FvXpsnrGrid;

/* The measurements of a block. */
typedef struct FvXpsnrSums {
    uint64_t sse[3];
    FvXpsnrActivity activity;
} FvXpsnrSums;

/* rate: whole frames per second. */
void fv_xpsnr_grid(FvXpsnrGrid *grid, const FvFormat *format, bool chroma, int rate);

/* The number of blocks; 1 for a picture too small to be weighted. */
int fv_xpsnr_blocks(const FvXpsnrGrid *grid);

/* Block k of a plane; may be empty in chroma. */
FvXpsnrBox fv_xpsnr_block(const FvXpsnrGrid *grid, int plane, int k);

/* The window in which the spatial activity of block k is summed. Empty: the block's weight is 1. */
FvXpsnrBox fv_xpsnr_window(const FvXpsnrGrid *grid, int k);

/* Computes the weights of all blocks from their activities. */
void fv_xpsnr_weights(const FvXpsnrGrid *grid, const FvXpsnrSums *sums, double *weights);

/* The weighted sum of squared errors of a plane. */
uint64_t fv_xpsnr_wsse(const FvXpsnrGrid *grid, const FvXpsnrSums *sums, const double *weights, int plane);

/* XPSNR's blocks of a frame: their sizes, their weights, and the weighted error of a plane. */
#pragma once

#include "cpu/xpsnr.h"
#include "fovea/fovea.h"

/* The division of a frame into blocks. side is 0 for a frame that is too small for weights. */
typedef struct FvXpsnrGrid {
    int width, height, depth;
    int planes, plane_width[3], plane_height[3];
    /* Side in luma samples, and number of blocks in each direction; the last column and row may be smaller. */
    int side, across, down;
    int block_width[3], block_height[3];
    bool coarse; /* frames above 2048x1152: only every second sample of every second row is measured */
    bool smooth; /* frame small enough that a block's weight is limited by its neighbours' weights */
    int order;   /* order of the temporal difference */
    double factor;
} FvXpsnrGrid;

/* The measurements of a block. */
typedef struct FvXpsnrSums {
    uint64_t sse[3];
    FvXpsnrActivity activity;
} FvXpsnrSums;

/* Divides a frame into blocks. rate: whole frames per second. */
void fv_xpsnr_grid(FvXpsnrGrid *grid, const FvFormat *format, bool chroma, int rate);

/* Returns the number of blocks; 1 for a frame that is too small for weights. */
int fv_xpsnr_blocks(const FvXpsnrGrid *grid);

/* Returns block k of a plane; it may be empty in chroma. */
FvXpsnrBox fv_xpsnr_block(const FvXpsnrGrid *grid, int plane, int k);

/* Returns the window in which the spatial activity of block k is summed. If it is empty, the block's weight is 1. */
FvXpsnrBox fv_xpsnr_window(const FvXpsnrGrid *grid, int k);

/* Computes the weights of all blocks from their activities. */
void fv_xpsnr_weights(const FvXpsnrGrid *grid, const FvXpsnrSums *sums, double *weights);

/* Returns the weighted sum of squared errors of a plane. */
uint64_t fv_xpsnr_wsse(const FvXpsnrGrid *grid, const FvXpsnrSums *sums, const double *weights, int plane);

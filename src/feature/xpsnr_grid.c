/*
 * XPSNR: the weighted error from the measurements of blocks, by a few binary64 operations per block in a fixed order.
 * Helmrich et al., A study of the extended perceptually weighted peak signal-to-noise ratio (XPSNR) for video
 * compression with different resolutions and bit depths, ITU Journal 3(1), 2020; constants as in FFmpeg 7.1's filter.
 */
#include <math.h>

#include "feature/xpsnr_grid.h"
#include "picture/frame.h"

#define UHD_SAMPLES 8294400.   /* 3840x2160, the frame size for which blocks have 128 samples per side */
#define COARSE_SAMPLES 2359296 /* 2048x1152 */
#define SMOOTH_SAMPLES 307200  /* 640x480 */
#define SECOND_ORDER_RATE 32   /* frames per second above which the temporal difference is of second order */
#define COARSE_NARROW 12       /* maximum width of windows that count as flat in a large frame */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void fv_xpsnr_grid(FvXpsnrGrid *grid, const FvFormat *format, bool chroma, int rate)
{
    int64_t samples = (int64_t)format->width * format->height;
    double ratio = (double)samples / UHD_SAMPLES;
    *grid = (FvXpsnrGrid){
        .width = format->width,
        .height = format->height,
        .depth = format->depth,
        .planes = chroma ? fv_format_planes(format) : 1,
        .side = 4 * (int)(32 * sqrt(ratio) + 0.5),
        .coarse = samples > COARSE_SAMPLES,
        .smooth = samples <= SMOOTH_SAMPLES,
        .order = rate < SECOND_ORDER_RATE ? 1 : 2,
        .factor = sqrt((16 * ldexp(1, 2 * format->depth - 9)) / sqrt(fmax(ratio, 0.00001))),
    };
    for (int plane = 0; plane < grid->planes; plane++)
        fv_format_plane_size(format, plane, &grid->plane_width[plane], &grid->plane_height[plane]);
    if (!grid->side)
        return;
    grid->across = (grid->width + grid->side - 1) / grid->side;
    grid->down = (grid->height + grid->side - 1) / grid->side;
    for (int plane = 0; plane < grid->planes; plane++) {
        grid->block_width[plane] = (int)((int64_t)grid->side * grid->plane_width[plane] / grid->width);
        grid->block_height[plane] = (int)((int64_t)grid->side * grid->plane_height[plane] / grid->height);
    }
}

int fv_xpsnr_blocks(const FvXpsnrGrid *grid)
{
    return grid->side ? grid->across * grid->down : 1;
}

FvXpsnrBox fv_xpsnr_block(const FvXpsnrGrid *grid, int plane, int k)
{
    int width = grid->plane_width[plane], height = grid->plane_height[plane];
    if (!grid->side)
        return (FvXpsnrBox){0, 0, width, height};
    int block_width = grid->block_width[plane], block_height = grid->block_height[plane];
    int x0 = smaller(k % grid->across * block_width, width), y0 = smaller(k / grid->across * block_height, height);
    return (FvXpsnrBox){x0, y0, smaller(x0 + block_width, width), smaller(y0 + block_height, height)};
}

FvXpsnrBox fv_xpsnr_window(const FvXpsnrGrid *grid, int k)
{
    FvXpsnrBox window = fv_xpsnr_block(grid, 0, k);
    int edge = grid->coarse ? 2 : 1;
    if (!window.x0)
        window.x0 = edge;
    if (!window.y0)
        window.y0 = edge;
    if (window.x1 == grid->width)
        window.x1 -= edge;
    if (window.y1 == grid->height)
        window.y1 -= edge;
    if (window.x1 <= window.x0 || window.y1 <= window.y0)
        return (FvXpsnrBox){0, 0, 0, 0};
    return window;
}

static double weight(const FvXpsnrGrid *grid, const FvXpsnrActivity *activity, int k)
{
    FvXpsnrBox block = fv_xpsnr_block(grid, 0, k), window = fv_xpsnr_window(grid, k);
    int64_t wide = window.x1 - window.x0, high = window.y1 - window.y0;
    if (!wide)
        return 1;
    /* In a large frame, a window is flat if it ends within COARSE_NARROW columns of the block's start. */
    int64_t from_block = window.x1 - block.x0;
    uint64_t spatial = grid->coarse && from_block <= COARSE_NARROW ? 0 : activity->spatial;
    double a = (double)spatial / (double)(wide * high);
    a = a + (double)(2 * activity->temporal) / (double)((int64_t)(block.x1 - block.x0) * (block.y1 - block.y0));
    a = fmax(a, ldexp(1, grid->depth - 6));
    return 1 / sqrt(a * a);
}

/* Limits each weight, in raster order and in place, to the maximum of its neighbours to the left, right and above. */
static void smooth(const FvXpsnrGrid *grid, double *weights)
{
    int count = grid->across * grid->down, across = grid->across;
    for (int k = 1; k < count; k++) {
        int column = k % across;
        double most = column == 0   ? (k > 1 ? weights[k - 2] : 0)
                      : column == 1 ? weights[k]
                                    : fmax(weights[k - 2], weights[k]);
        if (k > across)
            most = fmax(most, weights[k - 1 - across]);
        weights[k - 1] = fmin(weights[k - 1], most);
        if (k == count - 1 && k > across)
            weights[k] = fmin(weights[k], fmax(weights[k - 1], weights[k - across]));
    }
}

void fv_xpsnr_weights(const FvXpsnrGrid *grid, const FvXpsnrSums *sums, double *weights)
{
    for (int k = 0; k < grid->across * grid->down; k++)
        weights[k] = weight(grid, &sums[k].activity, k);
    if (grid->smooth)
        smooth(grid, weights);
}

uint64_t fv_xpsnr_wsse(const FvXpsnrGrid *grid, const FvXpsnrSums *sums, const double *weights, int plane)
{
    if (!grid->side)
        return sums[0].sse[plane];
    double sum = 0;
    for (int k = 0; k < grid->across * grid->down; k++)
        sum = sum + (double)sums[k].sse[plane] * weights[k];
    return sum <= 0 ? 0 : (uint64_t)(sum * grid->factor + 0.5);
}

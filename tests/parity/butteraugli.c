/*
 * Parity cases of Butteraugli: a tile at full and at half resolution, inside a picture, at its edges, and extended
 * beyond them.
 */
#include "cpu/butteraugli.h"

#include "parity.h"

#define UNITS(siting) ((siting) == FV_LIGHT_FULL ? 1 : (siting) == FV_LIGHT_COSITED ? 16 : 128)

static FvLight light_of(Parity *p, FvLightSiting across, FvLightSiting down)
{
    int unit = UNITS(across) * UNITS(down), scale = 1 << (p->depth - 8);
    return (FvLight){.width = p->width,
                     .height = p->height,
                     .chroma_width = across == FV_LIGHT_FULL ? p->width : (p->width + 1) / 2,
                     .chroma_height = down == FV_LIGHT_FULL ? p->height : (p->height + 1) / 2,
                     .across = across,
                     .down = down,
                     .luma_zero = 16 * scale,
                     .luma_scale = 1 / (219.f * (float)scale),
                     .matrix = {1.5748f, 0.1873243f, 0.4681243f, 1.8556f},
                     .curve = parity_curve(p),
                     .chroma_zero = 128 * scale * unit,
                     .chroma_scale = 1 / (224.f * (float)scale * (float)unit)};
}

static const float *gains(Parity *p, int n)
{
    ptrdiff_t stride;
    float *gain = parity_input(p, "gain", (size_t)n * sizeof *gain, 1, &stride);
    for (int i = 0; i < n; i++)
        gain[i] = i < 16 || i >= n - 16 ? parity_random_real(p, 1, 2) : 1;
    return gain;
}

static int extended(int side)
{
    return side < FV_BUTTER_LEAST ? FV_BUTTER_LEAST : side;
}

enum { MAPPED, SUMMED, HALF };

static void level(Parity *p, FvLightSiting across, FvLightSiting down)
{
    const FvButterKernels *kernels = fv_butter_kernels(p->runner->isa);
    FvLight light = light_of(p, across, down);
    bool half = p->variant == HALF;
    FvButterTile tile = {.light = &light,
                         .intensity = 80,
                         .level = half,
                         .width = half ? (p->width + 1) / 2 : extended(p->width),
                         .height = half ? (p->height + 1) / 2 : extended(p->height)};
    tile.left = half ? 0 : (tile.width - p->width) / 2;
    tile.above = half ? 0 : (tile.height - p->height) / 2;
    for (int i = 0; i < 6; i++)
        tile.sample[i / 3][i % 3] =
            parity_samples(p, "plane", i % 3 ? light.chroma_width : p->width, i % 3 ? light.chroma_height : p->height,
                           &tile.sample_stride[i / 3][i % 3]);
    for (int blur = 0; blur < FV_BUTTER_BLURS; blur++) {
        tile.gain_x[blur] = gains(p, tile.width);
        tile.gain_y[blur] = gains(p, tile.height);
    }
    ptrdiff_t bytes;
    if (p->variant != SUMMED) {
        int width = half ? tile.width : p->width, height = half ? tile.height : p->height;
        tile.map = parity_output(p, "map", (size_t)width * sizeof(float), height, sizeof(float), 0, &bytes);
        tile.map_stride = bytes / (ptrdiff_t)sizeof(float);
    }
    if (p->variant == SUMMED) {
        int width = (tile.width + 1) / 2, height = (tile.height + 1) / 2;
        float *from = parity_input(p, "half", (size_t)width * sizeof *from, height, &bytes);
        tile.half_stride = bytes / (ptrdiff_t)sizeof *from;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                from[y * tile.half_stride + x] = parity_random_real(p, 0, 4);
        tile.half = from;
    }
    FvButterSums sums = {0};
    void *scratch = parity_scratch(p, "scratch", kernels->scratch_bytes);
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * 6);
    PARITY_CALL(
        p, for (int y = 0; y < tile.height; y += FV_BUTTER_TILE_HEIGHT) for (int x = 0; x < tile.width;
                                                                             x += FV_BUTTER_TILE_WIDTH) {
            tile.x0 = x;
            tile.y0 = y;
            tile.x1 = x + FV_BUTTER_TILE_WIDTH < tile.width ? x + FV_BUTTER_TILE_WIDTH : tile.width;
            tile.y1 = y + FV_BUTTER_TILE_HEIGHT < tile.height ? y + FV_BUTTER_TILE_HEIGHT : tile.height;
            (p->depth > 8 ? kernels->tile16 : kernels->tile8)(&tile, &sums, scratch);
        });
    parity_value(p, "digits", sums.digit, sizeof sums.digit);
    parity_value(p, "most", &sums.most, sizeof sums.most);
}

static void of_420(Parity *p)
{
    level(p, FV_LIGHT_COSITED, FV_LIGHT_CENTRED);
}

static void of_444(Parity *p)
{
    level(p, FV_LIGHT_FULL, FV_LIGHT_FULL);
}

static const int depths[] = {8, 10, 0};
static const char *const variants[] = {"map", "sums", "half", NULL};
/* A halved picture has at least 15 samples per side. The other sizes are at the tile's limits. */
static const ParitySize sizes[] = {{15, 16}, {33, 15}, {61, 90}, {259, 17}, {515, 16}, {17, 515}, {0, 0}};
static const ParitySize small[] = {{1, 1}, {3, 2}, {7, 21}, {30, 5}, {8, 9}, {0, 0}};
static const char *const extending[] = {"map", NULL};

const ParityKernel parity_butteraugli[] = {
    {.noun = "butteraugli",
     .name = "4:2:0",
     .body = of_420,
     .depths = depths,
     .sizes = sizes,
     .fills = PARITY_RANDOM | PARITY_EXTREMES | PARITY_GRADIENT,
     .variants = variants,
     .bench = {1920, 1080}},
    {.noun = "butteraugli",
     .name = "4:4:4",
     .body = of_444,
     .depths = depths,
     .sizes = small,
     .fills = PARITY_RANDOM | PARITY_EXTREMES,
     .variants = extending,
     .bench = {-1, 0}},
    {0},
};

/* Parity cases of SSIMULACRA 2: a tile of a level, from samples and from light, inside a picture and at its edges. */
#include "cpu/ssimulacra2.h"

#include "parity.h"

#define MOST 300

static void sums(Parity *p, FvSs2Tile *tile, bool mapped, bool analysed)
{
    const FvSs2Kernels *kernels = fv_ss2_kernels(p->runner->isa);
    FvSs2Sum sum[FV_SS2_CHANNELS][FV_SS2_TERMS] = {0};
    void *scratch = parity_scratch(p, "scratch", kernels->scratch_bytes);
    float *analysis = parity_scratch(p, "analysis", FV_SS2_CHANNELS * FV_SS2_KEPT_FLOATS * sizeof(float));
    ptrdiff_t half_bytes, map_bytes = 0;
    int half_width = (p->width + 1) / 2, half_height = (p->height + 1) / 2;
    for (int i = 0; i < 6; i++)
        tile->half[i / 3][i % 3] =
            parity_output(p, "half", (size_t)half_width * sizeof(float), half_height, sizeof(float), 0, &half_bytes);
    tile->half_stride = half_bytes / (ptrdiff_t)sizeof(float);
    if (mapped) {
        ptrdiff_t coarser_bytes;
        float *coarser = parity_input(p, "coarser", (size_t)half_width * sizeof(float), half_height, &coarser_bytes);
        for (int y = 0; y < half_height; y++)
            for (int x = 0; x < half_width; x++)
                coarser[y * (coarser_bytes / (ptrdiff_t)sizeof(float)) + x] = parity_random_real(p, 0, 4);
        tile->map =
            parity_output(p, "map", (size_t)p->width * sizeof(float), p->height, sizeof(float), 0, &map_bytes);
        tile->map_stride = map_bytes / (ptrdiff_t)sizeof(float);
        tile->coarser = coarser;
        tile->coarser_stride = coarser_bytes / (ptrdiff_t)sizeof(float);
        for (int c = 0; c < FV_SS2_CHANNELS; c++)
            for (int k = 0; k < FV_SS2_TERMS / 2; k++)
                tile->gain[c][k] = parity_random_real(p, 0, 200);
    }
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * 6);
    PARITY_CALL(
        p, for (int y = 0; y < p->height; y += FV_SS2_TILE) for (int x = 0; x < p->width; x += FV_SS2_TILE) {
            tile->x0 = x;
            tile->y0 = y;
            tile->x1 = x + FV_SS2_TILE < p->width ? x + FV_SS2_TILE : p->width;
            tile->y1 = y + FV_SS2_TILE < p->height ? y + FV_SS2_TILE : p->height;
            if (analysed) {
                tile->analysis = analysis;
                kernels->analyse(tile, scratch);
            }
            kernels->measure(tile, sum, scratch);
        });
    parity_value(p, "sums", sum, sizeof sum);
}

static const unsigned wanted[][FV_SS2_CHANNELS] = {
    {0, 0x28, 0}, {0x38, 0x3f, 0x36}, {0x12, 0x08, 0x3f}, {0x3f, 0, 0x09}};

static const float wide[3][3] = {{1.25f, -0.25f, 0}, {-0.125f, 1.25f, -0.125f}, {-0.0625f, 0, 1.0625f}};

static void first(Parity *p, FvLightSiting across, FvLightSiting down, bool rgb, bool hlg)
{
    FvLight light = {.width = p->width,
                     .height = p->height,
                     .chroma_width = across == FV_LIGHT_FULL ? p->width : (p->width + 1) / 2,
                     .chroma_height = down == FV_LIGHT_FULL ? p->height : (p->height + 1) / 2,
                     .rgb = rgb,
                     .across = across,
                     .down = down,
                     .luma_zero = 16 << (p->depth - 8),
                     .luma_scale = 1 / (219.f * (float)(1 << (p->depth - 8))),
                     .matrix = {1.5748f, 0.1873243f, 0.4681243f, 1.8556f},
                     .curve = parity_curve(p),
                     .hlg = hlg ? 10 : 0,
                     .wide = hlg ? wide : NULL};
    static const int units[] = {1, 16, 128};
    int unit = units[across] * units[down];
    light.chroma_zero = (128 << (p->depth - 8)) * unit;
    light.chroma_scale = 1 / (224.f * (float)(1 << (p->depth - 8)) * (float)unit);
    FvSs2Tile tile = {.light = &light, .sample_bytes = p->depth > 8 ? 2 : 1, .width = p->width, .height = p->height};
    for (int i = 0; i < 6; i++)
        tile.picture[i / 3].sample[i % 3] =
            parity_samples(p, "plane", i % 3 ? light.chroma_width : p->width, i % 3 ? light.chroma_height : p->height,
                           &tile.picture[i / 3].sample_stride[i % 3]);
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        tile.wanted[c] = wanted[p->variant % 2][c];
    sums(p, &tile, p->variant == 2, p->variant == 3);
}

static void from_420_left(Parity *p)
{
    first(p, FV_LIGHT_COSITED, FV_LIGHT_CENTRED, false, false);
}

static void from_420_center(Parity *p)
{
    first(p, FV_LIGHT_CENTRED, FV_LIGHT_CENTRED, false, false);
}

static void from_420_topleft(Parity *p)
{
    first(p, FV_LIGHT_COSITED, FV_LIGHT_COSITED, false, true);
}

static void from_444(Parity *p)
{
    first(p, FV_LIGHT_FULL, FV_LIGHT_FULL, false, false);
}

static void from_rgb(Parity *p)
{
    first(p, FV_LIGHT_FULL, FV_LIGHT_FULL, true, false);
}

static void next(Parity *p)
{
    FvSs2Tile tile = {.width = p->width, .height = p->height};
    ptrdiff_t bytes;
    for (int i = 0; i < 6; i++) {
        float *light = parity_input(p, "light", (size_t)p->width * sizeof *light, p->height, &bytes);
        for (int y = 0; y < p->height; y++)
            for (int x = 0; x < p->width; x++)
                light[y * (bytes / (ptrdiff_t)sizeof *light) + x] = parity_random_real(p, -0.01f, 1);
        tile.picture[i / 3].light[i % 3] = light;
    }
    tile.picture[0].light_stride = tile.picture[1].light_stride = bytes / (ptrdiff_t)sizeof(float);
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        tile.wanted[c] = wanted[p->variant][c];
    sums(p, &tile, p->variant == 2, p->variant == 3);
}

static const int depths[] = {8, 10, 16, 0};
static const char *const variants[] = {"luma", "all", "map", "analysed", NULL};
static const ParitySize sizes[] = {{8, 8}, {9, 17}, {33, 15}, {127, 12}, {129, 133}, {261, 9}, {0, 0}};

#define KERNEL(text, function, ...)                                                                                  \
    {                                                                                                                \
        .noun = "ssimulacra2", .name = text, .body = function, .depths = depths, .sizes = sizes,                     \
        .fills = PARITY_RANDOM | PARITY_EXTREMES | PARITY_GRADIENT, .variants = variants, __VA_ARGS__                \
    }

const ParityKernel parity_ssimulacra2[] = {
    KERNEL("4:2:0 left", from_420_left, .bench = {1920, 1080}),
    KERNEL("4:2:0 center", from_420_center, .bench = {-1, 0}),
    KERNEL("4:2:0 topleft hlg", from_420_topleft, .bench = {-1, 0}),
    KERNEL("4:4:4", from_444, .bench = {-1, 0}),
    KERNEL("rgb", from_rgb, .bench = {-1, 0}),
    {.noun = "ssimulacra2",
     .name = "next",
     .body = next,
     .sizes = sizes,
     .fills = PARITY_RANDOM,
     .variants = variants},
    {0},
};

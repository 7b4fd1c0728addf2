/* Parity cases of ColorVideoVDP: every kernel, on separate inputs. */
#include <math.h>
#include <string.h>

#include "cpu/cvvdp.h"

#include "parity.h"

/* Returns a plane of numbers in [low, high]. The memory after its rows is NaN. */
static FvVdmPlane plane_of(Parity *p, const char *name, int width, int height, float low, float high)
{
    float *data = parity_input(p, name, fv_vdm_plane_floats(width, height) * sizeof *data, 1, NULL);
    FvVdmPlane plane = {data + FV_VDM_MARGIN, width, height, fv_vdm_stride(width)};
    memset(data, 0xff, fv_vdm_plane_floats(width, height) * sizeof *data);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            fv_vdm_row(&plane, y)[x] = p->fill == PARITY_LOW ? low : parity_random_real(p, low, high);
    return plane;
}

/* A plane that a kernel writes, and the copy of its samples that is compared. */
typedef struct Result {
    FvVdmPlane plane;
    float *compared;
} Result;

static Result result_of(Parity *p, const char *name, int width, int height)
{
    float *data = parity_scratch(p, "plane", fv_vdm_plane_floats(width, height) * sizeof *data);
    return (Result){{data + FV_VDM_MARGIN, width, height, fv_vdm_stride(width)},
                    parity_output(p, name, sizeof(float) * (size_t)(width * height), 1, 4, 0, NULL)};
}

static void compare(const Result *result)
{
    const FvVdmPlane *plane = &result->plane;
    for (int y = 0; y < plane->height; y++)
        memcpy(result->compared + y * plane->width, fv_vdm_row(plane, y), (size_t)plane->width * sizeof(float));
}

static float *work_of(Parity *p)
{
    return parity_scratch(p, "work", fv_cvvdp_work_floats(p->width) * sizeof(float));
}

#define STEP 48 /* number of floats from one block to the next */

/* Tests the conversion to opponent colours. The second variant has HLG's system gamma. */
static void opponent(Parity *p)
{
    FvCvvdpOpponent opponent = {
        .hlg = p->variant == 1, .gamma_1 = 0.25f, .exposure = 1.5f, .span = 1500, .base = 0.01f};
    const float *light[3];
    float *planes[3], *results[3];
    const int blocks = (p->width + FV_CVVDP_BLOCK - 1) / FV_CVVDP_BLOCK, whole = blocks * FV_CVVDP_BLOCK;
    for (int i = 0; i < 3; i++) {
        float *row = parity_input(p, "light", (size_t)whole * sizeof(float), 1, NULL);
        for (int x = 0; x < whole; x++)
            row[x] = parity_random_real(p, 0, p->variant ? 1 : 200);
        light[i] = row;
        planes[i] = parity_scratch(p, "blocks", (size_t)blocks * STEP * sizeof(float));
        results[i] = parity_output(p, "opponent", (size_t)p->width * sizeof(float), 1, 4, 0, NULL);
        for (int j = 0; j < 3; j++)
            opponent.matrix[i][j] = parity_random_real(p, -1, 1);
    }
    parity_work(p, p->width, 24. * p->width);
    PARITY_CALL(p, fv_cvvdp_kernels(p->runner->isa)->opponent(&opponent, light, p->width, planes, STEP));
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < p->width; x++)
            results[i][x] = planes[i][x / FV_CVVDP_BLOCK * STEP + x % FV_CVVDP_BLOCK];
}

/* Tests the temporal filter. The variant is the number of frames that it covers. */
static void filter(Parity *p)
{
    FvCvvdpTime time = {.half = p->variant == 0 ? 1 : p->variant == 1 ? 4 : FV_CVVDP_HALF};
    ptrdiff_t order[2 * FV_CVVDP_HALF + 1];
    FvVdmPlane rows[FV_CVVDP_PLANES];
    Result results[FV_CVVDP_PLANES];
    float *to[FV_CVVDP_PLANES];
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++)
        for (int k = 0; k <= time.half; k++)
            time.tap[c][k] = parity_random_real(p, -0.2f, 0.5f);
    const int frames = 2 * time.half + 1, blocks = (p->width + FV_CVVDP_BLOCK - 1) / FV_CVVDP_BLOCK;
    const size_t count = (size_t)(frames * blocks) * (sizeof(FvCvvdpBlock) / sizeof(float));
    float *history = parity_input(p, "history", count * sizeof(float), 1, NULL);
    for (size_t x = 0; x < count; x++)
        history[x] = parity_random_real(p, -10, 200);
    for (int i = 0; i < frames; i++)
        order[i] = (i + 1) % frames * blocks;
    for (int i = 0; i < FV_CVVDP_PLANES; i++) {
        results[i] = result_of(p, "channel", p->width, 1);
        rows[i] = results[i].plane;
        to[i] = fv_vdm_row(&rows[i], 0);
    }
    const size_t begun_bytes = (size_t)blocks * sizeof(FvCvvdpBegun);
    FvCvvdpBegun *next = parity_scratch(p, "next", begun_bytes);
    parity_work(p, p->width, (24. * (2 * time.half + 1) + 32) * p->width);
    PARITY_CALL(p, fv_cvvdp_kernels(p->runner->isa)
                       ->filter(&time, (const FvCvvdpBlock *)history, order, p->width, to, next, false));
    for (int i = 0; i < FV_CVVDP_PLANES; i++)
        compare(&results[i]);
    /* The next frame replaces the oldest. */
    for (int i = 0; i < frames; i++)
        order[i] = (i + 2) % frames * blocks;
    for (int i = 0; i < FV_CVVDP_PLANES; i++)
        results[i].compared = parity_output(p, "next channel", (size_t)p->width * sizeof(float), 1, 4, 0, NULL);
    fv_cvvdp_kernels(p->runner->isa)->filter(&time, (const FvCvvdpBlock *)history, order, p->width, to, next, true);
    for (int i = 0; i < FV_CVVDP_PLANES; i++)
        compare(&results[i]);
}

/* Tests the reduction of a plane, in one part or in two. */
static void reduce(Parity *p)
{
    const FvCvvdpKernels *kernels = fv_cvvdp_kernels(p->runner->isa);
    int width = (p->width + 1) / 2, height = (p->height + 1) / 2, part = p->variant && height > 1;
    FvVdmPlane fine = plane_of(p, "fine", p->width, p->height, -10, 200);
    Result coarse = result_of(p, "coarse", width, height);
    float *work = work_of(p);
    parity_work(p, (double)p->width * p->height, 5. * p->width * p->height);
    PARITY_CALL(p, kernels->reduce(&fine, 0, part, &coarse.plane, work);
                kernels->reduce(&fine, part, height - part, &coarse.plane, work));
    compare(&coarse);
}

static FvCvvdpMap any_map(void)
{
    return (FvCvvdpMap){{1, 1.5f, 0.5f, 0.8f}, 1e-20f, 0.056f, 0.005f, 0.0044f, 0.93f};
}

/* Tests adding a level to the map. The second variant also converts the map to JOD. */
static void add(Parity *p)
{
    const FvCvvdpMap map = any_map();
    FvVdmPlane coarse = plane_of(p, "coarse", (p->width + 1) / 2, (p->height + 1) / 2, 0, 0.2f);
    Result sum = result_of(p, "sum", p->width, p->height);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            fv_vdm_row(&sum.plane, y)[x] = parity_random_real(p, 0, 0.2f);
    float *work = work_of(p);
    parity_work(p, (double)p->width * p->height, 9. * p->width * p->height);
    PARITY_CALL(
        p, fv_cvvdp_kernels(p->runner->isa)->add(&coarse, 0, p->height, p->variant ? &map : NULL, &sum.plane, work));
    compare(&sum);
}

/* Makes the planes of a level. If `equal`, the reference's planes are the distorted ones. */
static void make_level(Parity *p, FvVdmPlane *planes, int width, int height, bool equal)
{
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++) {
        float low = c ? -5 : p->fill == PARITY_EXTREMES ? -1 : 0.5f, high = p->fill == PARITY_HIGH ? 10000 : 200;
        planes[2 * c] = plane_of(p, "distorted", width, height, low, c ? 5 : high);
        planes[2 * c + 1] = equal ? planes[2 * c] : plane_of(p, "reference", width, height, low, c ? 5 : high);
    }
}

/* Tests tiles of a band. Variants: a clip, a picture, a clip with its map, equal pictures. */
static void tiles(Parity *p)
{
    static float nodes[FV_CVVDP_NODES][FV_CVVDP_CHANNELS][2];
    FvCvvdpMasking masking = {.gain = 0.16f, .p = 2.2643547f, .zero_p = 4.8e-12f, .ceiling = 366.6f};
    const FvCvvdpMap map = any_map();
    FvVdmPlane fine[FV_CVVDP_PLANES], coarse[FV_CVVDP_PLANES];
    for (int i = 0; i < FV_CVVDP_NODES; i++)
        for (int c = 0; c < FV_CVVDP_CHANNELS; c++)
            for (int k = 0; k < 2; k++)
                nodes[i][c][k] = parity_random_real(p, 0, 100);
    for (int k = 0; k <= FV_CVVDP_RADIUS; k++)
        masking.blur[k] = parity_random_real(p, 0, 0.1f);
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++) {
        masking.q[c] = parity_random_real(p, 1, 4);
        masking.zero_q[c] = 1e-10f;
        for (int i = 0; i < FV_CVVDP_CHANNELS; i++)
            masking.cross[i][c] = parity_random_real(p, 0, 6);
    }
    make_level(p, fine, p->width, p->height, p->variant == 3);
    make_level(p, coarse, (p->width + 1) / 2, (p->height + 1) / 2, p->variant == 3);
    Result drawn = result_of(p, "drawn", p->width, p->height);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            fv_vdm_row(&drawn.plane, y)[x] = 0;
    float *work = work_of(p);
    FvCvvdpSum sums[FV_CVVDP_CHANNELS];
    FvCvvdpTile tile = {.fine = fine,
                        .coarse = coarse,
                        .channels = p->variant == 1 ? 3 : FV_CVVDP_CHANNELS,
                        .nodes = (const float(*)[FV_CVVDP_CHANNELS][2])nodes,
                        .masking = &masking,
                        .map = &map,
                        .drawn = p->variant == 2 ? &drawn.plane : NULL,
                        .share = 0.5f};
    memset(sums, 0, sizeof sums);
    parity_work(p, (double)p->width * p->height, 40. * p->width * p->height);
    PARITY_CALL(
        p, for (tile.y = 0; tile.y < p->height; tile.y += FV_CVVDP_TILE_ROWS) for (tile.x = 0; tile.x < p->width;
                                                                                   tile.x += FV_CVVDP_TILE) {
            tile.width = p->width - tile.x < FV_CVVDP_TILE ? p->width - tile.x : FV_CVVDP_TILE;
            tile.height = p->height - tile.y < FV_CVVDP_TILE_ROWS ? p->height - tile.y : FV_CVVDP_TILE_ROWS;
            fv_cvvdp_kernels(p->runner->isa)->tile(&tile, sums, work);
        });
    parity_value(p, "sums", sums, sizeof sums);
    compare(&drawn);
}

static const ParitySize rows[] = {{1, 1}, {15, 1}, {17, 1}, {33, 1}, {128, 1}, {0, 0}};
static const ParitySize sizes[] = {{2, 2},  {6, 6},  {7, 7},    {8, 8},    {9, 17},    {17, 9},   {33, 15},
                                   {34, 7}, {65, 6}, {127, 12}, {257, 66}, {259, 131}, {300, 74}, {0, 0}};

#define KERNEL(text, function, list, measured, kinds, ...)                                                           \
    {                                                                                                                \
        .noun = "cvvdp", .name = text, .body = function, .sizes = list, .fills = kinds,                              \
        .variants = (const char *const[]){__VA_ARGS__, NULL}, .bench = {                                             \
            measured,                                                                                                \
            0                                                                                                        \
        }                                                                                                            \
    }

const ParityKernel parity_cvvdp[] = {
    KERNEL("opponent", opponent, rows, -1, PARITY_RANDOM, "display", "hlg"),
    KERNEL("filter", filter, rows, -1, PARITY_RANDOM, "8 fps", "30 fps", "480 fps"),
    KERNEL("reduce", reduce, sizes, 0, PARITY_RANDOM | PARITY_LOW, "whole", "parts"),
    KERNEL("tiles", tiles, sizes, 0, PARITY_RANDOM | PARITY_LOW | PARITY_HIGH | PARITY_EXTREMES, "clip", "picture",
           "map", "equal"),
    KERNEL("add", add, sizes, 0, PARITY_RANDOM, "sum", "jod"),
    {0},
};

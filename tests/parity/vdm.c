/* Parity cases of the visual discrimination model: every kernel, on separate inputs. */
#include <math.h>
#include <string.h>

#include "cpu/vdm.h"
#include "feature/vdm.h"

#include "parity.h"

/* Returns a plane of numbers in [low, high] with reflected ends. The rest of its rows is NaN. */
static FvVdmPlane plane_of(Parity *p, const char *name, int width, int height, float low, float high)
{
    float *data = parity_input(p, name, fv_vdm_plane_floats(width, height) * sizeof *data, 1, NULL);
    FvVdmPlane plane = {data + FV_VDM_MARGIN, width, height, fv_vdm_stride(width)};
    memset(data, 0xff, fv_vdm_plane_floats(width, height) * sizeof *data);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            fv_vdm_row(&plane, y)[x] = parity_random_real(p, low, high);
        fv_vdm_reflect(fv_vdm_row(&plane, y), width, 2);
    }
    return plane;
}

/* A plane that a kernel writes, and the copy that is compared: its rows, with `reach` more samples at both ends. */
typedef struct Result {
    FvVdmPlane plane;
    float *compared;
    int reach;
} Result;

static Result result_of(Parity *p, const char *name, int width, int height, int reach)
{
    size_t floats = fv_vdm_plane_floats(width, height);
    float *data = parity_scratch(p, "plane", floats * sizeof *data);
    Result result = {{data + FV_VDM_MARGIN, width, height, fv_vdm_stride(width)}, NULL, reach};
    result.compared = parity_output(p, name, (width + 2 * reach) * sizeof(float) * height, 1, 4, 0, NULL);
    return result;
}

static void compare(const Result *result)
{
    const FvVdmPlane *plane = &result->plane;
    int length = plane->width + 2 * result->reach;
    for (int y = 0; y < plane->height; y++)
        memcpy(result->compared + y * length, fv_vdm_row(plane, y) - result->reach, length * sizeof(float));
}

static float *work_of(Parity *p, int width)
{
    return parity_scratch(p, "work", fv_vdm_work_floats(width) * sizeof(float));
}

/* Tests the optics. The variant is the radius. */
static void optics(Parity *p)
{
    float table[1024];
    FvVdmOptics optics = {p->width, p->height,           p->depth == 8 ? 1 : 2,
                          table,    (1 << p->depth) - 1, {.radius = p->variant}};
    for (int i = 0; i < 1 << p->depth; i++)
        table[i] = parity_random_real(p, 0.01f, 100);
    for (int i = 0; i < 15; i++)
        optics.spread.weight[i] = parity_random_real(p, 0, 0.1f);
    ptrdiff_t stride;
    const uint8_t *samples = parity_samples(p, "samples", p->width, p->height, &stride);
    Result to = result_of(p, "retina", p->width, p->height, 2);
    float *work = work_of(p, p->width);
    parity_work(p, (double)p->width * p->height, 5. * p->width * p->height);
    PARITY_CALL(p, fv_vdm_kernels(p->runner->isa)->optics(&optics, samples, stride, 0, p->height, &to.plane, work));
    compare(&to);
}

/* Tests reducing and expanding, each from the first or from the second row on. */
static void pyramid(Parity *p)
{
    const FvVdmKernels *kernels = fv_vdm_kernels(p->runner->isa);
    int width = (p->width + 1) / 2, height = (p->height + 1) / 2, from = p->variant && height > 1;
    FvVdmPlane fine = plane_of(p, "fine", p->width, p->height, 0.01f, 100);
    Result coarse = result_of(p, "coarse", width, height, 2), mean = result_of(p, "mean", p->width, p->height, 2);
    float *work = work_of(p, p->width);
    parity_work(p, (double)p->width * p->height, 12. * p->width * p->height);
    PARITY_CALL(p, kernels->reduce(&fine, 0, from, &coarse.plane, work);
                kernels->reduce(&fine, from, height - from, &coarse.plane, work);
                kernels->expand(&coarse.plane, 0, from, &mean.plane, work);
                kernels->expand(&coarse.plane, from, p->height - from, &mean.plane, work));
    compare(&coarse);
    compare(&mean);
}

/* Tests tiles of a level. Variants: defaults, a general transducer, no pooling, and all intermediate planes. */
static void respond(Parity *p)
{
    FvVdmParameters parameters = {.csf_width = 10, .csf_gain = 0.6, .n = 2.4, .w = 0.4, .kappa = 2.5, .optics = true};
    float weights[FV_VDM_NODES];
    int width = (p->width + 1) / 2, height = (p->height + 1) / 2;
    bool all = p->variant == 3;
    if (p->variant == 1)
        parameters.n = 1.5;
    FvVdmNodes nodes;
    fv_vdm_nodes(&parameters, &nodes);
    fv_vdm_weights(&parameters, &nodes, 57, 1, weights);
    FvVdmLevel level = {.weights = weights,
                        .transducer = fv_vdm_transducer(&parameters),
                        .q = p->variant == 1 ? 7.5f : 2.4f,
                        .pool = p->variant == 2 ? 1 : 5};
    float low = p->fill == PARITY_LOW ? 0.001f : p->fill == PARITY_HIGH ? 90 : 1;
    for (int i = 0; i < 2; i++) {
        level.gauss[i] = plane_of(p, "gauss", p->width, p->height, low, 100);
        level.coarse[i] = plane_of(p, "coarse", width, height, low, 100);
        level.mean[i] = plane_of(p, "mean", width, height, low, p->fill == PARITY_EXTREMES ? 20000 : 100);
    }
    Result sum = result_of(p, "sum", p->width, p->height, 0);
    level.sum = sum.plane;
    /* One plane holds all intermediate planes, one below the other. */
    int kinds = all ? 2 * FV_VDM_STAGES : 0;
    Result planes = result_of(p, "seen", p->width, kinds * p->height + 1, 0);
    for (int x = 0; x < p->width; x++)
        fv_vdm_row(&planes.plane, kinds * p->height)[x] = 0;
    FvVdmSeen seen = {{{NULL}}};
    for (int i = 0; i < kinds; i++)
        seen.plane[i / FV_VDM_STAGES][i % FV_VDM_STAGES] = fv_vdm_row(&planes.plane, i * p->height);
    float *work = work_of(p, 1);
    parity_work(p, (double)p->width * p->height, 24. * p->width * p->height);
    PARITY_CALL(
        p, for (int y = 0; y < p->height; y += FV_VDM_TILE_HEIGHT) for (int x = 0; x < p->width;
                                                                        x += FV_VDM_TILE_WIDTH) {
            FvVdmTile tile = {x, y, p->width - x, p->height - y};
            tile.width = tile.width < FV_VDM_TILE_WIDTH ? tile.width : FV_VDM_TILE_WIDTH;
            tile.height = tile.height < FV_VDM_TILE_HEIGHT ? tile.height : FV_VDM_TILE_HEIGHT;
            fv_vdm_kernels(p->runner->isa)->respond(&level, tile, all ? &seen : NULL, work);
        });
    compare(&sum);
    compare(&planes);
}

/* Tests the conversion from sums of powers to the map, with or without a coarser level, and its statistics. */
static void map(Parity *p)
{
    const FvVdmKernels *kernels = fv_vdm_kernels(p->runner->isa);
    float high = p->fill == PARITY_EXTREMES ? 1e30f : p->fill == PARITY_LOW ? 1e-11f : 100;
    FvVdmPlane coarse = plane_of(p, "coarse", (p->width + 1) / 2, (p->height + 1) / 2, 0, high);
    FvVdmPlane fine = plane_of(p, "fine", p->width, p->height, 0, high);
    Result sum = result_of(p, "sum", p->width, p->height, 2), map = result_of(p, "map", p->width, p->height, 2);
    const FvVdmPlane *below = p->variant ? &coarse : NULL;
    float *work = work_of(p, p->width);
    uint32_t *bins = parity_inout(p, "bins", FV_VDM_BINS * sizeof *bins, 1, 4, 0, NULL);
    memset(bins, 0, FV_VDM_BINS * sizeof *bins);
    FvVdmCount count = {.least = INFINITY, .bins = bins};
    FvVdmSums sums;
    parity_work(p, (double)p->width * p->height, 12. * p->width * p->height);
    PARITY_CALL(
        p, memcpy(sum.plane.data - FV_VDM_MARGIN, fine.data - FV_VDM_MARGIN,
                  fv_vdm_plane_floats(p->width, p->height) * sizeof(float));
        kernels->add(below, &sum.plane, work); kernels->jnd(&fine, below, 1 / 2.4f, 0, p->height, &map.plane, work);
        for (int y = 0; y < p->height; y++) kernels->count(fv_vdm_row(&map.plane, y), p->width, &count, &sums));
    compare(&sum);
    compare(&map);
    parity_value(p, "sums of the last row", &sums, sizeof sums);
    parity_value(p, "least", &count.least, sizeof count.least);
    parity_value(p, "greatest", &count.greatest, sizeof count.greatest);
    parity_value(p, "visible", &count.visible, sizeof count.visible);
}

static const ParitySize sizes[] = {{1, 1},  {2, 3},   {7, 1},   {5, 12},   {16, 7},   {33, 2},
                                   {63, 9}, {125, 6}, {124, 3}, {127, 12}, {20, 129}, {0, 0}};
static const int depths[] = {8, 10, 0};
static const char *const radii[] = {"no optics", "radius 1", "radius 2", "radius 3", "radius 4", NULL};
static const char *const parts[] = {"at once", "in parts", NULL};
static const char *const ways[] = {"defaults", "general powers", "no pooling", "all seen", NULL};
static const char *const levels[] = {"one level", "two levels", NULL};

const ParityKernel parity_vdm[] = {
    {"vdm", "optics", optics, .sizes = sizes, .depths = depths, .fills = PARITY_RANDOM | PARITY_EXTREMES,
     .variants = radii},
    {"vdm", "pyramid", pyramid, .sizes = sizes, .fills = PARITY_RANDOM, .variants = parts},
    {"vdm", "respond", respond, .sizes = sizes, .fills = PARITY_RANDOM | PARITY_LOW | PARITY_HIGH | PARITY_EXTREMES,
     .variants = ways},
    {"vdm", "map", map, .sizes = sizes, .fills = PARITY_RANDOM | PARITY_LOW | PARITY_EXTREMES, .variants = levels},
    {0},
};

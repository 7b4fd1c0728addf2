/* Parity cases of PSNR-HVS: sums over rows of blocks, and every intermediate value. */
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/psnr_hvs.h"
#include "cpu/psnr_hvs.h"
#include "parity.h"

static FvHvsPlane plane_of(Parity *p)
{
    FvHvsPlane plane = {.index = p->variant,
                        .depth = p->depth,
                        .columns = (p->width - 8) / FV_HVS_STEP + 1,
                        .rows = (p->height - 8) / FV_HVS_STEP + 1};
    plane.ref = parity_samples(p, "ref", p->width, p->height, &plane.ref_stride);
    plane.dis = parity_samples(p, "dis", p->width, p->height, &plane.dis_stride);
    double samples = (double)p->width * p->height;
    parity_work(p, samples, samples * (p->depth > 8 ? 4 : 2));
    return plane;
}

static void sum(Parity *p)
{
    FvHvsPlane plane = plane_of(p);
    float start = parity_random(p) % 2 ? 0 : parity_random_real(p, 0, 1e9f), end = 0;
    PARITY_CALL(p, end = fv_hvs_kernels(p->runner->isa)->sum(&plane, 0, plane.rows, start));
    parity_value(p, "sum", &end, sizeof end);
}

static void steps(Parity *p)
{
    FvHvsPlane plane = plane_of(p);
    size_t bytes = plane.rows * sizeof(FvHvsStep);
    FvHvsStep *step = parity_inout(p, "steps", bytes, 1, 4, 0, NULL);
    memset(step, 0, bytes);
    for (int row = 0; row < plane.rows; row++)
        step[row].binade = parity_random(p) % 8 ? (130 + parity_random(p) % 40) << 23 : 0;
    PARITY_CALL(p, fv_hvs_kernels(p->runner->isa)->steps(&plane, 0, plane.rows, step));
}

static void trace(Parity *p)
{
    FvHvsPlane plane = plane_of(p);
    plane.rows = 1;
    FvHvsBlock *blocks = parity_output(p, "blocks", plane.columns * sizeof *blocks, 1, 4, 0, NULL);
    PARITY_CALL(p, fv_hvs_kernels(p->runner->isa)->trace(&plane, 0, blocks));
}

/* Sizes near 1, 4, 8, 16 and 32 blocks in a row, with and without samples after the last block. */
static const ParitySize sizes[] = {{8, 8},    {14, 15},  {15, 8},  {29, 9},  {35, 15},  {36, 8},
                                   {57, 22},  {63, 8},   {64, 29}, {113, 8}, {119, 15}, {120, 8},
                                   {127, 22}, {225, 15}, {232, 8}, {239, 9}, {470, 22}, {0, 0}};
static const int depths[] = {8, 9, 10, 12, 0};
static const char *const planes[] = {"luma", "Cb", "Cr", NULL};

const ParityKernel parity_psnr_hvs[] = {
    {.noun = "psnr_hvs", .name = "sum", .body = sum, .sizes = sizes, .depths = depths, .variants = planes},
    {.noun = "psnr_hvs", .name = "steps", .body = steps, .sizes = sizes, .depths = depths, .variants = planes},
    {.noun = "psnr_hvs",
     .name = "blocks",
     .body = trace,
     .sizes = sizes,
     .depths = depths,
     .variants = planes,
     .bench = {-1, 0}},
    {0},
};

/* Parity cases of Delta E ITP: conversion from light to I, T and P, and sums of differences. */
#include "cpu/itp.h"

#include "arith/scalar.h"

#include "arith/itp.h"
#include "parity.h"

static void convert(Parity *p)
{
    const float most = p->variant ? 1 : 20000;
    float *signal = parity_input(p, "signal", (FV_ITP_STEPS + 1) * sizeof *signal, 1, &(ptrdiff_t){0}), *row[3];
    for (int i = 0; i <= FV_ITP_STEPS; i++)
        signal[i] = parity_random_real(p, 0, 1);
    for (int i = 0; i < 3; i++) {
        row[i] = parity_inout(p, "row", (size_t)p->width * sizeof *row[i], 1, sizeof *row[i], 64, NULL);
        for (int x = 0; x < p->width; x++)
            row[i][x] = x % 3 == i ? 0 : parity_random_real(p, 0, x % 5 ? most : most / 1e9f);
    }
    const FvItpCurves curves = {p->variant ? 0.2f : 0, p->variant ? 1000 : 0, signal};
    parity_work(p, p->width, p->width * 24.);
    PARITY_CALL(p, fv_itp_kernels(p->runner->isa)->convert(&curves, row, p->width));
}

static void compare(Parity *p)
{
    const float *row[2][3];
    for (int i = 0; i < 6; i++) {
        float *colour = parity_input(p, "colour", (size_t)p->width * sizeof *colour, 1, &(ptrdiff_t){0});
        const float most = p->variant == 1 ? 0.003f : 1;
        for (int x = 0; x < p->width; x++)
            colour[x] = p->variant == 2 ? (float)(i / 3) : parity_random_real(p, -most, most);
        row[i / 3][i % 3] = colour;
    }
    float *map = parity_output(p, "map", (size_t)p->width * sizeof *map, 1, sizeof *map, 64, NULL);
    FvItpSum sum[2] = {{5, 7}, {0, 0}};
    parity_work(p, p->width, p->width * 24.);
    PARITY_CALL(p, fv_itp_kernels(p->runner->isa)->compare(row[0], row[1], p->width, &sum[0], map));
    fv_itp_kernels(p->runner->isa)->compare(row[0], row[1], p->width, &sum[1], NULL);
    parity_value(p, "sum", sum, sizeof sum);
}

static const ParitySize sizes[] = {{1, 1}, {7, 1}, {16, 1}, {33, 1}, {100, 1}, {1024, 1}, {0, 0}};
static const char *const lights[] = {"cd/m2", "hlg", NULL};
static const char *const colours[] = {"random", "near", "far apart", NULL};

const ParityKernel parity_itp[] = {
    {.noun = "itp", .name = "convert", .body = convert, .sizes = sizes, .fills = PARITY_RANDOM, .variants = lights},
    {.noun = "itp", .name = "compare", .body = compare, .sizes = sizes, .fills = PARITY_RANDOM, .variants = colours},
    {0},
};

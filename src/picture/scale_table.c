#include "picture/scale_table.h"

#include <math.h>

#include "arith/dmath.h"
#include "base/divide.h"
#include "base/error.h"
#include "os/memory.h"

#define ONE 16384            /* sum of the coefficients of an output sample */
#define MOST_MAGNITUDE 27852 /* maximum sum of the coefficients' magnitudes, so that sums of samples fit 32 bits */

static int radius(FvScaleKernel kernel)
{
    return kernel == FV_KERNEL_BILINEAR ? 1 : kernel == FV_KERNEL_BICUBIC ? 2 : 3;
}

/* Returns a weight of Mitchell and Netravali's family of bicubic kernels. */
static double cubic(double x, double b, double c)
{
    if (x < 1.0) {
        double p3 = (12.0 - 9.0 * b - 6.0 * c) / 6.0, p2 = (-18.0 + 12.0 * b + 6.0 * c) / 6.0;
        return (p3 * x + p2) * x * x + (6.0 - 2.0 * b) / 6.0;
    }
    double r3 = (-b - 6.0 * c) / 6.0, r2 = (6.0 * b + 30.0 * c) / 6.0, r1 = (-12.0 * b - 48.0 * c) / 6.0;
    return ((r3 * x + r2) * x + r1) * x + (8.0 * b + 24.0 * c) / 6.0;
}

static double spline36(double x)
{
    if (x < 1.0)
        return ((13.0 / 11.0 * x - 453.0 / 209.0) * x - 3.0 / 209.0) * x + 1.0;
    double t = x < 2.0 ? x - 1.0 : x - 2.0;
    if (x < 2.0)
        return ((-6.0 / 11.0 * t + 270.0 / 209.0) * t - 156.0 / 209.0) * t;
    return ((1.0 / 11.0 * t - 45.0 / 209.0) * t + 26.0 / 209.0) * t;
}

/* Returns the weight of an input. x: its distance in samples of the coarser grid, in [0, radius). */
static double weigh(FvScaleKernel kernel, double b, double c, double x)
{
    switch (kernel) {
    case FV_KERNEL_BILINEAR:
        return 1.0 - x;
    case FV_KERNEL_LANCZOS:
        return x == 0.0 ? 1.0 : 3.0 * (fv_d_sin_pi(x) * fv_d_sin_pi(x / 3.0)) / (0x1.3bd3cc9be45dep+3 * (x * x));
    case FV_KERNEL_SPLINE36:
        return spline36(x);
    default:
        return cubic(x, b, c);
    }
}

/* Distances on an axis, in a unit in which the positions of inputs and outputs are integers. */
typedef struct Grid {
    int64_t step;  /* distance between neighbouring inputs */
    int64_t den;   /* distance that is 1 in the argument of weigh() */
    int64_t reach; /* the kernel's radius */
} Grid;

static Grid make_grid(const FvScaleAxis *axis, FvScaleKernel kernel)
{
    int64_t wide = (int64_t)axis->in * axis->sub_out, narrow = (int64_t)axis->out * axis->sub_in;
    Grid grid = {.step = 4 * narrow, .den = 4 * (wide > narrow ? wide : narrow)};
    grid.reach = radius(kernel) * grid.den;
    return grid;
}

static int64_t place_of(const FvScaleAxis *axis, int i)
{
    const int64_t out = axis->sub_out * (4 * (int64_t)i + 2) + 2 * (axis->sub_out - 1) * axis->at_out;
    return out * axis->in - (int64_t)(2 * axis->sub_in + 2 * (axis->sub_in - 1) * axis->at_in) * axis->out;
}

/*
 * Rounds weights to coefficients that add up to ONE: those with the largest rounding errors are corrected. Returns
 * the sum of the magnitudes.
 */
static int64_t round_weights(const double *weight, int taps, double total, double *g, int32_t *c)
{
    int64_t rest = ONE, magnitude = 0;
    for (int j = 0; j < taps; j++) {
        g[j] = weight[j] * ONE / total;
        c[j] = (int32_t)floor(g[j] + 0.5);
        rest -= c[j];
    }
    for (int sign = rest < 0 ? -1 : 1; rest; rest -= sign) {
        int best = 0;
        for (int j = 1; j < taps; j++)
            if ((g[j] - c[j]) * sign > (g[best] - c[best]) * sign)
                best = j;
        c[best] += sign;
    }
    for (int j = 0; j < taps; j++)
        magnitude += c[j] < 0 ? -c[j] : c[j];
    return magnitude;
}

static FvStatus fill_table(FvScaleTable *table, const FvScaleAxis *axis, FvScaleKernel kernel, double b, double c,
                           FvError *error)
{
    const Grid grid = make_grid(axis, kernel);
    const int most = table->used;
    double *weight = fv_alloc(2 * (size_t)most * sizeof *weight);
    int32_t *rounded = fv_alloc((size_t)most * sizeof *rounded);
    FvStatus status = weight && rounded ? FV_OK : fv_fail_memory(error, (size_t)most * sizeof *weight);
    for (int i = 0; i < table->count && !status; i++) {
        const int64_t place = place_of(axis, i), first = fv_floor_div(place - grid.reach, grid.step) + 1;
        double total = 0.0;
        int taps = 0;
        for (; taps < most; taps++) { /* inputs at distance `reach` weigh 0 and are left out, so `most` suffices */
            int64_t away = (first + taps) * grid.step - place;
            if (away >= grid.reach)
                break;
            weight[taps] = weigh(kernel, b, c, (double)(away < 0 ? -away : away) / (double)grid.den);
            total = total + weight[taps];
        }
        if (round_weights(weight, taps, total, weight + most, rounded) > MOST_MAGNITUDE)
            status = fv_fail(
                error, FV_ERROR_USAGE,
                "the bicubic kernel with b %g and c %g overshoots too far; use smaller values, such as b 0 and c 0.6",
                b, c);
        table->first[i] = (int)first;
        for (int j = 0; j < taps && !status; j++)
            table->coefficient[((ptrdiff_t)(j / 2) * table->padded + i) * 2 + j % 2] = (int16_t)rounded[j];
    }
    for (int i = table->count; i < table->padded && !status; i++)
        table->first[i] = table->first[table->count - 1];
    fv_free(weight);
    fv_free(rounded);
    return status;
}

/*
 * Returns the greatest distance between the first inputs of `count` neighbouring outputs. count divides
 * FV_SCALE_BLOCK.
 */
static int measure_near(const FvScaleTable *table, int count)
{
    int most = 0;
    for (int i = 0; i < table->padded; i += count)
        if (table->first[i + count - 1] - table->first[i] > most)
            most = table->first[i + count - 1] - table->first[i];
    return most;
}

FvStatus fv_scale_table_open(FvScaleTable *table, const FvScaleAxis *axis, FvScaleKernel kernel, double b, double c,
                             FvError *error)
{
    const Grid grid = make_grid(axis, kernel);
    *table = (FvScaleTable){
        .identity = (int64_t)axis->in * axis->sub_out == (int64_t)axis->out * axis->sub_in &&
                    axis->at_in == axis->at_out && axis->samples_in == axis->samples_out,
        .count = axis->samples_out,
        .padded = FV_ROUND_UP(axis->samples_out, FV_SCALE_BLOCK),
    };
    table->used = table->identity ? 1 : (int)((2 * grid.reach + grid.step - 1) / grid.step);
    table->taps = FV_ROUND_UP(table->used, FV_SCALE_GROUP);
    table->first = fv_alloc_zero((size_t)table->padded * sizeof *table->first);
    size_t bytes;
    bool fits = fv_multiply_size((size_t)table->padded * sizeof(int16_t), (size_t)table->taps, &bytes);
    table->coefficient = fits ? fv_alloc_zero(bytes) : NULL;
    if (!table->first || !table->coefficient)
        return fv_fail_memory(error, (size_t)table->padded * (size_t)table->taps);
    FvStatus status = table->identity ? FV_OK : fill_table(table, axis, kernel, b, c, error);
    for (int i = 0; i < table->padded && table->identity; i++) {
        table->first[i] = i < table->count ? i : table->count - 1;
        table->coefficient[2 * i] = ONE;
    }
    table->near4 = measure_near(table, 4);
    table->near16 = measure_near(table, 16);
    return status;
}

void fv_scale_table_close(FvScaleTable *table)
{
    fv_free(table->first);
    fv_free(table->coefficient);
    *table = (FvScaleTable){0};
}

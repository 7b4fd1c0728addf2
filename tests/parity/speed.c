/* Parity cases of SpEED: every stage of one side, on separate inputs. */
#include <string.h>

#include "arith/scalar.h"

#include "arith/speed.h"

#include "cpu/speed.h"
#include "feature/speed.h"

#include "parity.h"

/* Returns the shape of a plane whose operating plane has p->width x p->height, with filters of these numbers of
 * taps. */
static FvSpeedShape shape_of(Parity *p, int taps, int local_taps)
{
    FvSpeedShape shape = {.columns = p->width,
                          .rows = p->height,
                          .stride = FV_ROUND_UP(p->width, 16) + 16,
                          .taps = taps,
                          .local_taps = local_taps,
                          .sigma = 0.29f};
    shape.scaled_width = p->width * FV_SPEED_STEP + (int)(parity_random(p) % FV_SPEED_STEP);
    shape.scaled_height = p->height * FV_SPEED_STEP;
    shape.across = p->width / FV_SPEED_BLOCK;
    shape.down = p->height / FV_SPEED_BLOCK;
    shape.blocks = shape.across * shape.down;
    shape.window_width = (shape.across - 1) * FV_SPEED_BLOCK + 1;
    shape.window_height = (shape.down - 1) * FV_SPEED_BLOCK + 1;
    for (int i = 0; i < taps; i++) {
        shape.tap[i] = parity_random_real(p, 0.5f, 1) / (float)taps;
        shape.down_tap[i] = shape.tap[i] / (float)(1 << (p->depth > 8 ? p->depth - 8 : 0));
    }
    for (int i = 0; i < local_taps; i++)
        shape.local_tap[i] = parity_random_real(p, 0.5f, 1) / (float)local_taps;
    return shape;
}

/* Tests one row of an operating plane, from samples minus a level, differences, or floats. */
static void decimate(Parity *p)
{
    static const int taps[] = {9, 9, 9, 5, 35, 35};
    static const int sources[] = {0, 1, 2, 1, 0, 2};
    FvSpeedShape shape = shape_of(p, taps[p->variant], 3);
    int source = sources[p->variant], reach = shape.taps;
    FvSpeedRows rows = {.level = 1 << (p->depth - 1), .bytes = source == 2 ? 4 : p->depth > 8 ? 2 : 1};
    ptrdiff_t stride;
    const uint8_t *plus, *minus = NULL;
    if (source == 2) {
        float *values = parity_input(p, "plus", shape.scaled_width * sizeof(float), reach, &stride);
        for (int y = 0; y < reach; y++)
            for (int x = 0; x < shape.scaled_width; x++)
                *(float *)((char *)values + y * stride + x * sizeof(float)) = parity_random_real(p, -128, 128);
        plus = (const uint8_t *)values;
    } else {
        plus = parity_samples(p, "plus", shape.scaled_width, reach, &stride);
        if (source == 1)
            minus = parity_samples(p, "minus", shape.scaled_width, reach, &stride);
    }
    for (int i = 0; i < reach; i++) {
        rows.plus[i] = plus + i * stride;
        rows.minus[i] = minus ? minus + i * stride : NULL;
    }
    float *work = parity_scratch(p, "work", fv_speed_work_floats(&shape) * sizeof(float));
    float *row = parity_output(p, "row", shape.columns * sizeof(float), 1, 4, 0, NULL);
    double samples = (double)shape.scaled_width * reach;
    parity_work(p, samples, samples * rows.bytes * (minus ? 2 : 1));
    PARITY_CALL(p, fv_speed_kernels(p->runner->isa)->decimate(&shape, &rows, work, row));
}

/* Returns an operating plane with some structure, values of about +-50, and garbage after its columns. */
static float *plane_of(Parity *p, const FvSpeedShape *shape, const char *name)
{
    float *plane = parity_input(p, name, shape->rows * shape->stride * sizeof(float), 1, NULL);
    for (int y = 0; y < shape->rows; y++)
        for (int x = 0; x < shape->stride; x++)
            plane[y * shape->stride + x] =
                x < shape->columns ? parity_random_real(p, -20, 20) + 30.f * (float)((x / 3 + y / 4) % 2) : 1e30f;
    return plane;
}

static void high_pass(Parity *p)
{
    static const int taps[] = {3, 5, 9};
    FvSpeedShape shape = shape_of(p, 9, taps[p->variant]);
    const float *low = plane_of(p, &shape, "low");
    float *work = parity_scratch(p, "work", fv_speed_work_floats(&shape) * sizeof(float));
    float *scratch = parity_scratch(p, "plane", shape.rows * shape.stride * sizeof(float));
    float *plane = parity_output(p, "columns", shape.columns * sizeof(float) * shape.rows, 1, 4, 0, NULL);
    double samples = (double)shape.columns * shape.rows;
    parity_work(p, samples, 8 * samples);
    PARITY_CALL(p, fv_speed_kernels(p->runner->isa)->high_pass(&shape, low, work, scratch));
    for (int y = 0; y < shape.rows; y++)
        memcpy(plane + y * shape.columns, scratch + y * shape.stride, shape.columns * sizeof(float));
}

typedef float Row[FV_SPEED_ROW];
#define MATRIX_BYTES (25 * sizeof(Row))

/* Returns an output row of `used` floats. The memory after them may be written. */
static float *row_output(Parity *p, const char *name, int used)
{
    return parity_output(p, name, used * sizeof(float), 1, 4, sizeof(Row) - used * sizeof(float), NULL);
}

/* Compares the first 25 floats of each row of a matrix. */
static void matrix_value(Parity *p, const char *name, const Row *matrix)
{
    float packed[25][25];
    for (int i = 0; i < 25; i++)
        memcpy(packed[i], matrix[i], sizeof packed[i]);
    parity_value(p, name, packed, sizeof packed);
}

static void statistics(Parity *p)
{
    FvSpeedShape shape = shape_of(p, 9, 3);
    const FvSpeedKernels *kernels = fv_speed_kernels(p->runner->isa);
    const float *plane = plane_of(p, &shape, "plane");
    float *mean = row_output(p, "means", 25);
    Row *covariance = parity_scratch(p, "covariance", MATRIX_BYTES);
    int parts = p->variant + 1;
    double samples = (double)shape.window_width * shape.window_height;
    parity_work(p, samples, 4 * samples);
    PARITY_CALL(p, kernels->means(&shape, plane, mean); for (int part = 0; part < parts; part++) kernels->covariance(
        &shape, plane, mean, part, parts, covariance));
    matrix_value(p, "covariance", covariance);
}

/* Returns a symmetric matrix like a covariance: regular, or nearly singular. */
static const Row *matrix_of(Parity *p)
{
    Row *covariance = parity_input(p, "matrix", MATRIX_BYTES, 1, NULL);
    float factor[25][8], noise = p->variant ? 1e-4f : 5;
    for (int i = 0; i < 25; i++)
        for (int k = 0; k < 8; k++)
            factor[i][k] = parity_random_real(p, -3, 3);
    for (int i = 0; i < 25; i++)
        for (int j = 0; j <= i; j++) {
            float sum = i == j ? noise : 0;
            for (int k = 0; k < 8; k++)
                sum += factor[i][k] * factor[j][k];
            covariance[i][j] = covariance[j][i] = sum;
        }
    return covariance;
}

static void solve(Parity *p)
{
    const FvSpeedKernels *kernels = fv_speed_kernels(p->runner->isa);
    const Row *matrix = matrix_of(p);
    Row *q = parity_scratch(p, "q", MATRIX_BYTES), *r = parity_scratch(p, "r", MATRIX_BYTES);
    float *diagonal = row_output(p, "diagonal", 25), *beside = row_output(p, "beside", 24);
    parity_work(p, 1, MATRIX_BYTES);
    PARITY_CALL(p, kernels->tridiagonal(matrix, diagonal, beside); kernels->factor(matrix, q, r));
    matrix_value(p, "q", q);
    for (int i = 0; i < 25; i++)
        memset(r[i], 0, i * sizeof(float)); /* the result has nothing below the diagonal */
    matrix_value(p, "r", r);
}

static void blocks(Parity *p)
{
    FvSpeedShape shape = shape_of(p, 9, 3);
    const FvSpeedKernels *kernels = fv_speed_kernels(p->runner->isa);
    const float *plane = plane_of(p, &shape, "plane");
    FvSpeedSide side = {.singular = p->variant};
    for (int i = 0; i < 25; i++) {
        side.diagonal[i] = parity_random_real(p, -0.001f, 40);
        for (int j = 0; j < 25; j++) {
            side.q[i][j] = parity_random_real(p, -1, 1);
            side.r[i][j] = parity_random_real(p, -1, 1) + (i == j ? 30.f : 0);
        }
    }
    size_t padded = FV_ROUND_UP(shape.blocks, 64) * sizeof(float), used = shape.blocks * sizeof(float);
    float *variance = parity_output(p, "variance", used, 1, 4, padded - used, NULL);
    float *entropy = parity_output(p, "entropy", used, 1, 4, padded - used, NULL);
    parity_work(p, shape.blocks, 100. * shape.blocks);
    PARITY_CALL(p, kernels->blocks(&shape, plane, &side, 0, shape.blocks, variance, entropy));
}

static void information(Parity *p)
{
    FvSpeedShape shape = shape_of(p, 9, 3);
    size_t padded = FV_ROUND_UP(shape.blocks, 64) * sizeof(float), used = shape.blocks * sizeof(float);
    float *value[4];
    shape.weight_mode = p->variant;
    for (int i = 0; i < 4; i++) {
        value[i] = parity_input(p, i < 2 ? "variance" : "entropy", padded, 1, NULL);
        for (int b = 0; b < shape.blocks; b++)
            value[i][b] = parity_random_real(p, 0, i < 2 ? 3 : 200);
    }
    float *ref = parity_output(p, "ref", used, 1, 4, padded - used, NULL);
    float *dis = parity_output(p, "dis", used, 1, 4, padded - used, NULL);
    parity_work(p, shape.blocks, 24. * shape.blocks);
    PARITY_CALL(p, fv_speed_kernels(p->runner->isa)
                       ->information(&shape, (const float *const[]){value[0], value[1]},
                                     (const float *const[]){value[2], value[3]}, (float *const[]){ref, dis}));
}

static const int depths[] = {8, 10, 16, 0}, any_depth[] = {8, 0};
/* Sizes of the operating plane, for kernels that compute one row of it and for those that compute all. */
static const ParitySize rows[] = {{5, 1}, {6, 1}, {16, 1}, {31, 1}, {120, 1}, {0, 0}};
static const ParitySize planes[] = {{5, 5}, {6, 11}, {15, 5}, {16, 9}, {17, 16}, {33, 10}, {64, 40}, {0, 0}};
static const ParitySize matrix[] = {{25, 25}, {0, 0}};
static const char *const sources[] = {"samples",          "differences",     "floats", "differences, 5 taps",
                                      "samples, 35 taps", "floats, 35 taps", NULL};
static const char *const local_taps[] = {"3 taps", "5 taps", "9 taps", NULL};
static const char *const parts[] = {"1 part", "2 parts", "3 parts", NULL};
static const char *const matrices[] = {"regular", "nearly singular", NULL};
static const char *const sides[] = {"regular", "singular", NULL};
static const char *const modes[] = {"0", "1", "2", "3", "4", "5", "6", NULL};

#define OPERATING_PLANE .depths = any_depth, .fills = PARITY_RANDOM, .bench = {120, 67}
const ParityKernel parity_speed[] = {
    {.noun = "speed",
     .name = "decimate",
     .body = decimate,
     .depths = depths,
     .sizes = rows,
     .variants = sources,
     .fills = PARITY_RANDOM | PARITY_EXTREMES,
     .bench = {120, 1}},
    {.noun = "speed",
     .name = "high pass",
     .body = high_pass,
     .sizes = planes,
     .variants = local_taps,
     OPERATING_PLANE},
    {.noun = "speed", .name = "statistics", .body = statistics, .sizes = planes, .variants = parts, OPERATING_PLANE},
    {.noun = "speed",
     .name = "solve",
     .body = solve,
     .depths = any_depth,
     .sizes = matrix,
     .fills = PARITY_ALL_FILLS,
     .variants = matrices,
     .bench = {25, 25}},
    {.noun = "speed", .name = "blocks", .body = blocks, .sizes = planes, .variants = sides, OPERATING_PLANE},
    {.noun = "speed",
     .name = "information",
     .body = information,
     .sizes = planes,
     .variants = modes,
     OPERATING_PLANE},
    {0},
};

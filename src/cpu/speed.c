/* SpEED kernels for one instruction set. */
#include "cpu/speed.h"

#include "cpu/simd.h"
#include "cpu/border.h"

#include "arith/speed.h"

#define N FV_SPEED_N
#define ROW FV_SPEED_ROW
#define VECTORS (ROW / FV_LANES) /* vectors per matrix row */

FV_FN fv_f32 load_samples(const void *row, int x, int bytes)
{
    if (bytes == 4)
        return FV_LOAD(fv_f32, (const float *)row + x);
    return (fv_f32)(bytes == 2 ? fv_i32_from_u16(FV_LOAD(fv_u16_half, (const uint16_t *)row + x))
                               : fv_i32_from_u8(FV_LOAD(fv_u8_quarter, (const uint8_t *)row + x)));
}

/* Applies the vertical filter to all columns. */
FV_FN void filter_down(const FvSpeedRows *rows, const float *tap, int taps, int bytes, bool difference, int width,
                       float *sums)
{
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 sum = {0};
        for (int i = 0; i < taps; i++) {
            if (x * bytes % 64 == 0) {
                __builtin_prefetch((const char *)rows->plus[i] + rows->plus_ahead + x * bytes);
                if (difference)
                    __builtin_prefetch((const char *)rows->minus[i] + rows->minus_ahead + x * bytes);
            }
            fv_f32 sample = load_samples(rows->plus[i], x, bytes);
            if (bytes != 4)
                sample = fv_speed_sample((fv_i32)sample, difference ? (fv_i32)load_samples(rows->minus[i], x, bytes)
                                                                    : fv_splat_i32(rows->level));
            sum = fv_speed_tap(sum, sample, tap[i]);
        }
        FV_STORE(sums + x, sum);
    }
}

/* Fills sums [-reach, -1] and [width, width + reach - 1] by mirroring. */
FV_FN void extend(float *sums, int width, int reach)
{
    for (int i = 1; i <= reach; i++) {
        sums[-i] = sums[i];
        sums[width - 1 + i] = sums[width - 1 - i];
    }
}

FV_FN void keep_columns(const float *sums, const float *tap, int taps, int columns, float *row)
{
    for (int x = 0; x < columns; x++) {
        float sum = 0;
        for (int i = 0; i < taps; i++)
            sum = sum + sums[x * FV_SPEED_STEP + i - taps / 2] * tap[i];
        row[x] = sum;
    }
}

/*
 * Filters all columns into `sums` and extends them. The size of the samples, and what is subtracted, are constants
 * for filter_down().
 */
FV_FN void decimate_samples(const FvSpeedShape *shape, const FvSpeedRows *rows, int taps, float *sums)
{
    int width = shape->scaled_width;
    if (rows->bytes == 4)
        filter_down(rows, shape->tap, taps, 4, false, width, sums);
    else if (rows->bytes == 2 && rows->minus[0])
        filter_down(rows, shape->down_tap, taps, 2, true, width, sums);
    else if (rows->bytes == 2)
        filter_down(rows, shape->down_tap, taps, 2, false, width, sums);
    else if (rows->minus[0])
        filter_down(rows, shape->down_tap, taps, 1, true, width, sums);
    else
        filter_down(rows, shape->down_tap, taps, 1, false, width, sums);
    extend(sums, width, taps / 2);
}

/* Nine taps, the usual number, are a constant here, so that the compiler unrolls the filters. */
static void decimate(const FvSpeedShape *shape, const FvSpeedRows *rows, float *work, float *row)
{
    float *sums = work + FV_SPEED_MARGIN;
    if (shape->taps == 9) {
        decimate_samples(shape, rows, 9, sums);
        keep_columns(sums, shape->tap, 9, shape->columns, row);
    } else {
        decimate_samples(shape, rows, shape->taps, sums);
        keep_columns(sums, shape->tap, shape->taps, shape->columns, row);
    }
}

static void high_pass(const FvSpeedShape *shape, const float *low, float *work, float *plane)
{
    int taps = shape->local_taps, reach = taps / 2, columns = shape->columns;
    float *sums = work + FV_SPEED_MARGIN;
    for (int y = 0; y < shape->rows; y++) {
        const float *rows[FV_SPEED_LOCAL];
        for (int i = 0; i < taps; i++)
            rows[i] = low + fv_mirror(y + i - reach, shape->rows) * shape->stride;
        for (int x = 0; x < columns; x += FV_LANES) {
            fv_f32 sum = {0};
            for (int i = 0; i < taps; i++)
                sum = fv_speed_tap(sum, FV_LOAD(fv_f32, rows[i] + x), shape->local_tap[i]);
            FV_STORE(sums + x, sum);
        }
        extend(sums, columns, reach);
        for (int x = 0; x < columns; x += FV_LANES) {
            fv_f32 mean = {0};
            for (int i = 0; i < taps; i++)
                mean = fv_speed_tap(mean, FV_LOAD(fv_f32, sums + x + i - reach), shape->local_tap[i]);
            FV_STORE(plane + y * shape->stride + x, FV_LOAD(fv_f32, low + y * shape->stride + x) - mean);
        }
    }
}

/* Five elements of one row of a block in lanes. The lanes after the fifth are computed and ignored. */
#if FV_LANES == 16
typedef fv_f32_half Five;
#define VECTORS_OF_5 1
#else
typedef fv_f32 Five;
#define VECTORS_OF_5 ((FV_SPEED_BLOCK + FV_LANES - 1) / FV_LANES)
#endif
#define LANES_OF_5 ((int)(sizeof(Five) / sizeof(float)))

static void means(const FvSpeedShape *shape, const float *plane, float *mean)
{
    Five sums[FV_SPEED_BLOCK][VECTORS_OF_5] = {{{0}}};
    for (int y = 0; y < shape->window_height; y++)
        for (int x = 0; x < shape->window_width; x++) {
            FV_UNROLL
            for (int row = 0; row < FV_SPEED_BLOCK; row++) {
                FV_UNROLL
                for (int i = 0; i < VECTORS_OF_5; i++)
                    sums[row][i] += FV_LOAD(Five, plane + (y + row) * shape->stride + x + i * LANES_OF_5);
            }
        }
    fv_f32 samples = fv_splat_f32(shape->window_width * shape->window_height);
    for (int e = 0; e < N; e++) {
        int lane = e % FV_SPEED_BLOCK;
        float sum = sums[e / FV_SPEED_BLOCK][lane / LANES_OF_5][lane % LANES_OF_5];
        mean[e] = fv_div(fv_splat_f32(sum), samples)[0];
    }
}

/*
 * Covariance. Every pair of elements has a sum over the samples in raster order. A vector holds neighbouring elements
 * y for one element x. The deviations of a tile of samples are converted to 64 bits once, 25 per row. A group of sums
 * that fits the registers then runs over the tile.
 */
#define TILE 64
#if defined(__AVX512F__) || defined(__ARM_NEON)
#define GROUP 8 /* elements x whose sums are in registers, each with SPAN vectors of elements y */
#define SPAN 3
#else
#define GROUP 4
#define SPAN 2
#endif
#define GROUPS ((N - 1) / GROUP + 1) /* the last group is element 24 alone */

FV_FN int group_size(int group)
{
    return group == GROUPS - 1 ? 1 : GROUP;
}

FV_FN void group_sums(const double (*deviation)[ROW], int count, double (*sums)[ROW], int x, int y, int group,
                      int span)
{
    fv_f64 sum[GROUP * SPAN];
    FV_UNROLL
    for (int i = 0; i < group; i++) {
        FV_UNROLL
        for (int j = 0; j < span; j++)
            sum[i * span + j] = FV_LOAD(fv_f64, &sums[x + i][y + j * FV_LANES64]);
    }
    for (int s = 0; s < count; s++) {
        fv_f64 beside[SPAN];
        FV_UNROLL
        for (int j = 0; j < span; j++)
            beside[j] = FV_LOAD(fv_f64, &deviation[s][y + j * FV_LANES64]);
        FV_UNROLL
        for (int i = 0; i < group; i++) {
            FV_UNROLL
            for (int j = 0; j < span; j++)
                sum[i * span + j] = fv_speed_covary(sum[i * span + j], beside[j], deviation[s][x + i]);
        }
    }
    FV_UNROLL
    for (int i = 0; i < group; i++) {
        FV_UNROLL
        for (int j = 0; j < span; j++)
            FV_STORE(&sums[x + i][y + j * FV_LANES64], sum[i * span + j]);
    }
}

static void tile_sums(const double (*deviation)[ROW], int count, double (*sums)[ROW], int group)
{
    int x = group * GROUP, last = x + group_size(group) - 1;
    for (int y = 0; y <= last; y += SPAN * FV_LANES64) {
        int span = (last - y) / FV_LANES64 + 1;
        if (group == GROUPS - 1)
            SPAN >= 3 && span >= 3 ? group_sums(deviation, count, sums, x, y, 1, 3)
            : span >= 2            ? group_sums(deviation, count, sums, x, y, 1, 2)
                                   : group_sums(deviation, count, sums, x, y, 1, 1);
        else
            SPAN >= 3 && span >= 3 ? group_sums(deviation, count, sums, x, y, GROUP, 3)
            : span >= 2            ? group_sums(deviation, count, sums, x, y, GROUP, 2)
                                   : group_sums(deviation, count, sums, x, y, GROUP, 1);
    }
}

static void covariance(const FvSpeedShape *shape, const float *plane, const float *mean, int part, int parts,
                       float (*covariance)[ROW])
{
    enum { PASSES = (FV_SPEED_BLOCK + FV_LANES64 - 1) / FV_LANES64 };
    double deviation[TILE][ROW] = {{0}}, sums[N][ROW] = {{0}};
    fv_f64 wide[FV_SPEED_BLOCK][PASSES];
    for (int row = 0; row < FV_SPEED_BLOCK; row++)
        for (int i = 0; i < PASSES; i++)
            for (int lane = 0; lane < FV_LANES64; lane++) {
                int e = i * FV_LANES64 + lane;
                wide[row][i][lane] = e < FV_SPEED_BLOCK ? mean[row * FV_SPEED_BLOCK + e] : 0;
            }
    int width = shape->window_width, samples = width * shape->window_height, y = 0, x = 0;
    for (int done = 0; done < samples; done += TILE) {
        int count = samples - done < TILE ? samples - done : TILE;
        for (int s = 0; s < count; s++) {
            const float *from = plane + y * shape->stride + x;
            FV_UNROLL
            for (int row = 0; row < FV_SPEED_BLOCK; row++) {
                FV_UNROLL
                for (int i = 0; i < PASSES; i++) {
                    fv_f32_half sample = FV_LOAD(fv_f32_half, from + row * shape->stride + i * FV_LANES64);
                    FV_STORE(&deviation[s][row * FV_SPEED_BLOCK + i * FV_LANES64],
                             fv_speed_deviation(sample, wide[row][i]));
                }
            }
            if (++x == width) {
                x = 0;
                y++;
            }
        }
        for (int group = part; group < GROUPS; group += parts)
            tile_sums(deviation, count, sums, group);
    }
    for (int group = part; group < GROUPS; group += parts)
        for (int i = group * GROUP; i < group * GROUP + group_size(group); i++)
            for (int j = 0; j <= i; j++)
                covariance[i][j] = covariance[j][i] = (float)(sums[i][j] / samples);
}

/* A matrix as vectors along its rows. */
typedef struct Matrix {
    fv_f32 row[N][VECTORS];
} Matrix;

#define AT(vectors, i) (((const float *)(vectors))[i])

static void tridiagonal(const float (*covariance)[ROW], float *diagonal, float *beside)
{
    Matrix a;
    memcpy(&a, covariance, sizeof a);
    for (int i = 0; i < N; i++) {
        const fv_f32 *column = a.row[i]; /* row i serves as column i, because the matrix is symmetric */
        diagonal[i] = AT(column, i);
        if (i == N - 1)
            break;
        beside[i] = AT(column, i + 1);
        float squares = 0, along = 0;
        for (int r = i + 2; r < N; r++)
            squares += AT(column, r) * AT(column, r);
        if (squares == 0)
            continue;
        FvReflection reflection = fv_tridiagonal_reflection(fv_splat_f32(beside[i]), fv_splat_f32(squares));
        fv_f32 v[VECTORS], p[VECTORS];
        for (int j = 0; j < VECTORS; j++) {
            fv_i32 lane = fv_lane_index() + j * FV_LANES;
            fv_f32 below = fv_div(column[j], reflection.scale);
            v[j] = fv_sel_f32(lane > i + 1, below, fv_sel_f32(lane == i + 1, fv_splat_f32(1), fv_splat_f32(0)));
            p[j] = fv_splat_f32(0);
        }
        beside[i] = reflection.beta[0];
        int first = (i + 1) / FV_LANES;
        for (int c = i + 1; c < N; c++)
            for (int j = first; j < VECTORS; j++)
                p[j] = fv_tridiagonal_product(p[j], a.row[c][j], reflection.tau, fv_splat_f32(AT(v, c)));
        for (int r = i + 1; r < N; r++)
            along += AT(p, r) * AT(v, r);
        for (int j = first; j < VECTORS; j++)
            p[j] = fv_tridiagonal_correction(p[j], reflection.tau, fv_splat_f32(along), v[j]);
        for (int r = i + 1; r < N; r++)
            for (int j = first; j < VECTORS; j++)
                a.row[r][j] =
                    fv_tridiagonal_update(a.row[r][j], fv_splat_f32(AT(p, r)), fv_splat_f32(AT(v, r)), p[j], v[j]);
    }
}

/*
 * Computes the rows from k on of `to` = h * from, in columns from `first` on. The first k columns of h are those of
 * the identity.
 */
FV_FN void reflect(const float (*h)[ROW], int k, const Matrix *from, Matrix *to, int first)
{
    for (int i = k; i < N; i++) {
        fv_f32 sum[VECTORS] = {{0}};
        for (int l = k; l < N; l++) {
            FV_UNROLL
            for (int j = 0; j < VECTORS; j++)
                if (j >= first)
                    sum[j] = fv_speed_term(sum[j], from->row[l][j], h[i][l]);
        }
        for (int j = 0; j < VECTORS; j++)
            to->row[i][j] = sum[j];
    }
}

static void factor(const float (*covariance)[ROW], float (*q)[ROW], float (*r)[ROW])
{
    Matrix m[2], orthogonal[2];
    memset(orthogonal, 0, sizeof orthogonal);
    memcpy(m, covariance, sizeof *m);
    for (int i = 0; i < N; i++)
        ((float *)orthogonal[0].row[i])[i] = 1;
    for (int k = 0; k < N - 1; k++) {
        Matrix *from = &m[k & 1];
        float w[ROW] = {0}, h[N][ROW], squares = 0, length = 0;
        for (int i = k; i < N; i++) {
            w[i] = AT(from->row[i], k);
            squares += w[i] * w[i];
        }
        w[k] = fv_speed_lengthen(fv_splat_f32(w[k]), fv_splat_f32(covariance[k][k]), fv_splat_f32(squares))[0];
        for (int i = k; i < N; i++)
            length += w[i] * w[i];
        fv_f32 unit[VECTORS], root = fv_sqrt(fv_splat_f32(length));
        for (int j = 0; j < VECTORS; j++)
            unit[j] = fv_div(FV_LOAD(fv_f32, w + j * FV_LANES), root);
        for (int i = k; i < N; i++) {
            for (int j = 0; j < VECTORS; j++)
                FV_STORE(&h[i][j * FV_LANES], fv_speed_reflect(fv_splat_f32(AT(unit, i)), unit[j]));
            h[i][i] += 1;
        }
        reflect((const float(*)[ROW])h, k, from, &m[~k & 1], k / FV_LANES);
        reflect((const float(*)[ROW])h, k, &orthogonal[k & 1], &orthogonal[~k & 1], 0);
        memcpy(q[k], orthogonal[~k & 1].row[k], sizeof q[k]);
    }
    memcpy(q[N - 1], orthogonal[(N - 1) & 1].row[N - 1], sizeof q[N - 1]);
    memcpy(m, covariance, sizeof *m);
    reflect((const float(*)[ROW])q, 0, m, m + 1, 0);
    memcpy(r, m + 1, sizeof m[1]);
}

/*
 * Blocks in lanes, several vectors at a time: back substitution is one long chain of dependent operations per lane.
 */
#define SIDE_BY_SIDE 4

static void blocks(const FvSpeedShape *shape, const float *plane, const FvSpeedSide *side, int first, int last,
                   float *variance, float *entropy)
{
    enum { WIDTH = SIDE_BY_SIDE * FV_LANES };
    for (int b = first; b < last; b += WIDTH) {
        float samples[N][WIDTH] = {{0}}, solution[N][WIDTH];
        for (int i = 0; i < WIDTH && b + i < last; i++) {
            const float *block = plane + (b + i) / shape->across * FV_SPEED_BLOCK * shape->stride +
                                 (b + i) % shape->across * FV_SPEED_BLOCK;
            for (int e = 0; e < N; e++)
                samples[e][i] = block[e / FV_SPEED_BLOCK * shape->stride + e % FV_SPEED_BLOCK];
        }
        for (int i = N - 1; i >= 0; i--) {
            fv_f32 rest[SIDE_BY_SIDE] = {{0}};
            for (int l = 0; l < N; l++) {
                FV_UNROLL
                for (int j = 0; j < SIDE_BY_SIDE; j++)
                    rest[j] = fv_speed_term(rest[j], FV_LOAD(fv_f32, &samples[l][j * FV_LANES]), side->q[i][l]);
            }
            for (int l = i + 1; l < N; l++) {
                FV_UNROLL
                for (int j = 0; j < SIDE_BY_SIDE; j++)
                    rest[j] = fv_speed_eliminate(rest[j], FV_LOAD(fv_f32, &solution[l][j * FV_LANES]), side->r[i][l]);
            }
            FV_UNROLL
            for (int j = 0; j < SIDE_BY_SIDE; j++)
                FV_STORE(&solution[i][j * FV_LANES],
                         side->singular ? fv_splat_f32(0) : fv_div(rest[j], fv_splat_f32(side->r[i][i])));
        }
        for (int j = 0; j < WIDTH; j += FV_LANES) {
            fv_f32 sum = fv_speed_variance(FV_LOAD(fv_f32, &solution[0][j]), FV_LOAD(fv_f32, &samples[0][j]));
            for (int e = 1; e < N; e++)
                sum += fv_speed_variance(FV_LOAD(fv_f32, &solution[e][j]), FV_LOAD(fv_f32, &samples[e][j]));
            FV_STORE(variance + b + j, sum);
        }
        for (int j = 0; j < WIDTH; j += FV_LANES64) {
            fv_f32_half sum = {0}, own = FV_LOAD(fv_f32_half, variance + b + j);
            for (int k = 0; k < N; k++)
                sum = fv_speed_entropy(sum, own, side->diagonal[k] < 0 ? 0 : side->diagonal[k], shape->sigma);
            FV_STORE(entropy + b + j, sum);
        }
    }
}

static void information(const FvSpeedShape *shape, const float *const variance[2], const float *const entropy[2],
                        float *const information[2])
{
    for (int side = 0; side < 2; side++)
        for (int b = 0; b < shape->blocks; b += FV_LANES64) {
            fv_f64 weight = fv_speed_weight(FV_LOAD(fv_f32_half, variance[0] + b),
                                            FV_LOAD(fv_f32_half, variance[1] + b), shape->weight_mode, side);
            FV_STORE(information[side] + b, fv_speed_information(FV_LOAD(fv_f32_half, entropy[side] + b), weight));
        }
}

const FvSpeedKernels FV_ISA_STRUCT(fv_speed_kernels) = {
    .decimate = decimate,
    .high_pass = high_pass,
    .means = means,
    .covariance = covariance,
    .tridiagonal = tridiagonal,
    .factor = factor,
    .blocks = blocks,
    .information = information,
};

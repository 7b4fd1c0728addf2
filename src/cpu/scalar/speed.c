/* SpEED, the reference. */
#include "cpu/speed.h"

#include "arith/scalar.h"

#include "arith/speed.h"
#include "cpu/border.h"

#define N FV_SPEED_N

static float filtered_down(const FvSpeedShape *shape, const FvSpeedRows *rows, int x)
{
    float sum = 0;
    for (int i = 0; i < shape->taps; i++) {
        const void *plus = rows->plus[i], *minus = rows->minus[0] ? rows->minus[i] : NULL;
        if (rows->bytes == 4)
            sum = fv_speed_tap(sum, ((const float *)plus)[x], shape->tap[i]);
        else if (rows->bytes == 2)
            sum = fv_speed_tap(
                sum, fv_speed_sample(((const uint16_t *)plus)[x], minus ? ((const uint16_t *)minus)[x] : rows->level),
                shape->down_tap[i]);
        else
            sum = fv_speed_tap(
                sum, fv_speed_sample(((const uint8_t *)plus)[x], minus ? ((const uint8_t *)minus)[x] : rows->level),
                shape->down_tap[i]);
    }
    return sum;
}

static void decimate(const FvSpeedShape *shape, const FvSpeedRows *rows, float *work, float *row)
{
    for (int x = 0; x < shape->columns; x++) {
        row[x] = 0;
        for (int i = 0; i < shape->taps; i++) {
            int column = fv_mirror(x * FV_SPEED_STEP + i - shape->taps / 2, shape->scaled_width);
            row[x] = fv_speed_tap(row[x], filtered_down(shape, rows, column), shape->tap[i]);
        }
    }
}

static void high_pass(const FvSpeedShape *shape, const float *low, float *work, float *plane)
{
    int taps = shape->local_taps;
    for (int y = 0; y < shape->rows; y++) {
        for (int x = 0; x < shape->columns; x++) {
            work[x] = 0;
            for (int i = 0; i < taps; i++)
                work[x] = fv_speed_tap(work[x], low[fv_mirror(y + i - taps / 2, shape->rows) * shape->stride + x],
                                       shape->local_tap[i]);
        }
        for (int x = 0; x < shape->columns; x++) {
            float mean = 0;
            for (int i = 0; i < taps; i++)
                mean = fv_speed_tap(mean, work[fv_mirror(x + i - taps / 2, shape->columns)], shape->local_tap[i]);
            plane[y * shape->stride + x] = low[y * shape->stride + x] - mean;
        }
    }
}

/* Returns the offset of element e of the sliding block at (0, 0). */
static int place(const FvSpeedShape *shape, int e)
{
    return e / FV_SPEED_BLOCK * shape->stride + e % FV_SPEED_BLOCK;
}

static void means(const FvSpeedShape *shape, const float *plane, float *mean)
{
    for (int e = 0; e < N; e++) {
        float sum = 0;
        for (int y = 0; y < shape->window_height; y++)
            for (int x = 0; x < shape->window_width; x++)
                sum += plane[y * shape->stride + x + place(shape, e)];
        mean[e] = fv_div(sum, (float)(shape->window_width * shape->window_height));
    }
}

static void covariance(const FvSpeedShape *shape, const float *plane, const float *mean, int part, int parts,
                       float (*covariance)[FV_SPEED_ROW])
{
    for (int i = part; i < N; i += parts)
        for (int j = 0; j <= i; j++) {
            const float *a = plane + place(shape, i), *b = plane + place(shape, j);
            double sum = 0;
            for (int y = 0; y < shape->window_height; y++)
                for (int x = 0; x < shape->window_width; x++)
                    sum = fv_speed_covary(sum, fv_speed_deviation(a[y * shape->stride + x], mean[i]),
                                          fv_speed_deviation(b[y * shape->stride + x], mean[j]));
            covariance[i][j] = covariance[j][i] = (float)(sum / (shape->window_width * shape->window_height));
        }
}

static void tridiagonal(const float (*covariance)[FV_SPEED_ROW], float *diagonal, float *beside)
{
    float a[N][N];
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++)
            a[r][c] = covariance[r][c];
    for (int i = 0; i < N - 2; i++) {
        float squares = 0, v[N], p[N], along = 0;
        for (int r = i + 2; r < N; r++)
            squares += a[r][i] * a[r][i];
        if (squares == 0)
            continue;
        FvReflection reflection = fv_tridiagonal_reflection(a[i + 1][i], squares);
        v[i + 1] = 1;
        for (int r = i + 2; r < N; r++)
            v[r] = fv_div(a[r][i], reflection.scale);
        a[i + 1][i] = reflection.beta;
        for (int r = i + 1; r < N; r++) {
            p[r] = 0;
            for (int c = i + 1; c < N; c++)
                p[r] = fv_tridiagonal_product(p[r], a[r][c], reflection.tau, v[c]);
            along += p[r] * v[r];
        }
        for (int r = i + 1; r < N; r++)
            p[r] = fv_tridiagonal_correction(p[r], reflection.tau, along, v[r]);
        for (int r = i + 1; r < N; r++)
            for (int c = i + 1; c < N; c++)
                a[r][c] = fv_tridiagonal_update(a[r][c], p[r], v[r], p[c], v[c]);
    }
    for (int i = 0; i < N; i++)
        diagonal[i] = a[i][i];
    for (int i = 0; i < N - 1; i++)
        beside[i] = a[i + 1][i];
}

/* Replaces m by h * m, in rows from k on. The first k rows and columns of h are those of the identity. */
static void reflect(float (*h)[N], int k, float (*m)[N])
{
    float from[N][N];
    memcpy(from, m, sizeof from);
    for (int i = k; i < N; i++)
        for (int j = 0; j < N; j++) {
            m[i][j] = 0;
            for (int l = k; l < N; l++)
                m[i][j] = fv_speed_term(m[i][j], from[l][j], h[i][l]);
        }
}

static void factor(const float (*covariance)[FV_SPEED_ROW], float (*q)[FV_SPEED_ROW], float (*r)[FV_SPEED_ROW])
{
    float m[N][N], orthogonal[N][N] = {{0}}, h[N][N];
    for (int i = 0; i < N; i++) {
        orthogonal[i][i] = 1;
        for (int j = 0; j < N; j++)
            m[i][j] = covariance[i][j];
    }
    for (int k = 0; k < N - 1; k++) {
        float w[N], squares = 0, length = 0;
        for (int i = k; i < N; i++) {
            w[i] = m[i][k];
            squares += w[i] * w[i];
        }
        w[k] = fv_speed_lengthen(w[k], covariance[k][k], squares);
        for (int i = k; i < N; i++)
            length += w[i] * w[i];
        length = fv_sqrt(length);
        for (int i = k; i < N; i++)
            w[i] = fv_div(w[i], length);
        for (int i = k; i < N; i++) {
            for (int j = k; j < N; j++)
                h[i][j] = fv_speed_reflect(w[i], w[j]);
            h[i][i] += 1;
        }
        reflect(h, k, m);
        reflect(h, k, orthogonal);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            q[i][j] = orthogonal[i][j];
            r[i][j] = 0;
            for (int l = 0; l < N; l++)
                r[i][j] = fv_speed_term(r[i][j], covariance[l][j], orthogonal[i][l]);
        }
}

static void blocks(const FvSpeedShape *shape, const float *plane, const FvSpeedSide *side, int first, int last,
                   float *variance, float *entropy)
{
    for (int b = first; b < last; b++) {
        const float *block =
            plane + b / shape->across * FV_SPEED_BLOCK * shape->stride + b % shape->across * FV_SPEED_BLOCK;
        float solution[N] = {0};
        for (int i = N - 1; i >= 0 && !side->singular; i--) {
            float rest = 0;
            for (int l = 0; l < N; l++)
                rest = fv_speed_term(rest, block[place(shape, l)], side->q[i][l]);
            for (int j = i + 1; j < N; j++)
                rest = fv_speed_eliminate(rest, solution[j], side->r[i][j]);
            solution[i] = fv_div(rest, side->r[i][i]);
        }
        variance[b] = fv_speed_variance(solution[0], block[0]);
        for (int e = 1; e < N; e++)
            variance[b] += fv_speed_variance(solution[e], block[place(shape, e)]);
        entropy[b] = 0;
        for (int k = 0; k < N; k++)
            entropy[b] = fv_speed_entropy(entropy[b], variance[b], side->diagonal[k] < 0 ? 0 : side->diagonal[k],
                                          shape->sigma);
    }
}

static void information(const FvSpeedShape *shape, const float *const variance[2], const float *const entropy[2],
                        float *const information[2])
{
    for (int side = 0; side < 2; side++)
        for (int b = 0; b < shape->blocks; b++)
            information[side][b] = fv_speed_information(
                entropy[side][b], fv_speed_weight(variance[0][b], variance[1][b], shape->weight_mode, side));
}

const FvSpeedKernels fv_speed_kernels_scalar = {
    .decimate = decimate,
    .high_pass = high_pass,
    .means = means,
    .covariance = covariance,
    .tridiagonal = tridiagonal,
    .factor = factor,
    .blocks = blocks,
    .information = information,
};

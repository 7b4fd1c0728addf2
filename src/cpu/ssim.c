/*
 * SSIM and MS-SSIM for one instruction set. Lanes are neighbouring positions, so every sum keeps the order of its
 * taps.
 */
#include "cpu/ssim.h"

#include <stdlib.h>

#include "cpu/border.h"
#include "cpu/wide.h"

#include "arith/fixed.h"
#include "arith/ssim.h"

enum { REF, DIS, REF_SQUARE, DIS_SQUARE, PRODUCT, IMAGES };

/* Keeps the compiler from extracting halves of vectors in registers, which costs more than a load. */
#define ALIGNED __attribute__((aligned(64)))
#define THROUGH_MEMORY(array) __asm__("" : "+m"(array))

FV_FN FvWide add(FvWide sum, fv_f32 value)
{
    FvWide term = fv_widen(value);
    return (FvWide){{sum.half[0] + term.half[0], sum.half[1] + term.half[1]}};
}

/* Returns sum plus the values at `at`, which are converted while they are loaded. */
FV_FN FvWide add_at(FvWide sum, const float *at)
{
    fv_f32_half low = FV_LOAD(fv_f32_half, at), high = FV_LOAD(fv_f32_half, at + FV_LANES64);
    return (FvWide){{sum.half[0] + fv_f64_from_f32(low), sum.half[1] + fv_f64_from_f32(high)}};
}

FV_FN FvWide wide_at(const float *at)
{
    return (FvWide){
        {fv_f64_from_f32(FV_LOAD(fv_f32_half, at)), fv_f64_from_f32(FV_LOAD(fv_f32_half, at + FV_LANES64))}};
}

FV_FN fv_f32 samples(const FvSsimPlane *plane, const uint8_t *row, int x)
{
    if (plane->bytes == 1)
        return fv_f32_from_i32(fv_i32_from_u8(FV_LOAD(fv_u8_quarter, row + x)));
    if (plane->bytes == 2)
        return fv_f32_from_i32(fv_i32_from_u16(FV_LOAD(fv_u16_half, row + 2 * x))) * plane->unit;
    return FV_LOAD(fv_f32, row + 4 * x);
}

static const uint8_t *row_of(const FvSsimPlane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->stride;
}

/* ---- The statistic ------------------------------------------------------------------------------------------- */

/* Writes the five images (both frames, their squares, their product) of `count` samples of a row. */
FV_FN void make_images(const FvSsimPlane *ref, const FvSsimPlane *dis, int y, int first, int count, float *to)
{
    const uint8_t *ref_row = row_of(ref, y), *dis_row = row_of(dis, y);
    for (int x = 0; x < count; x += FV_LANES) {
        fv_f32 r = samples(ref, ref_row, first + x), d = samples(dis, dis_row, first + x);
        const fv_f32 value[IMAGES] = {r, d, r * r, d * d, r * d};
        for (int image = 0; image < IMAGES; image++)
            FV_STORE(to + image * FV_SSIM_PITCH + x, value[image]);
    }
}

/* Number of rows of a column of vectors, and of floats of an image: [column][row][lane]. */
#define ROWS (FV_SSIM_BAND + FV_SSIM_TAPS - 1)
#define IMAGE (FV_SSIM_STRIP * ROWS)

/*
 * Filters along a row. The product of a sample and a tap serves the positions on both sides. No result depends on the
 * sign of a zero sum, so sums start with their first term instead of 0.
 */
FV_FN void filter_along(const float *from, int count, float *to)
{
    enum { TAPS = FV_SSIM_TAPS, MIDDLE = TAPS / 2 };
    float product[MIDDLE + 1][FV_SSIM_PITCH] ALIGNED;
    for (int image = 0; image < IMAGES; image++, from += FV_SSIM_PITCH, to += IMAGE) {
        for (int x = 0; x < count + TAPS - 1; x += FV_LANES) {
            fv_f32 value = FV_LOAD(fv_f32, from + x);
            FV_UNROLL
            for (int i = 0; i <= MIDDLE; i++)
                FV_STORE(product[i] + x, value * fv_ssim_tap[i]);
        }
        for (int x = 0; x < count; x += FV_LANES) {
            FvWide sum = wide_at(product[0] + x);
            FV_UNROLL
            for (int i = 1; i < TAPS; i++)
                sum = add_at(sum, product[i <= MIDDLE ? i : TAPS - 1 - i] + x + i);
            FV_STORE(to + x * ROWS, fv_f32_from_f64(sum.half[0]));
            FV_STORE(to + x * ROWS + FV_LANES64, fv_f32_from_f64(sum.half[1]));
        }
    }
}

/*
 * Filters down a column of half a vector, in place: the window that ends at a row leaves its sum there. The products
 * of a row and the taps are added to the sums of all windows that contain the row.
 */
FV_FN void filter_down(float *column, int rows)
{
    enum { TAPS = FV_SSIM_TAPS, MIDDLE = TAPS / 2 };
    fv_f64 sum[TAPS]; /* sums of the windows that start at row i, modulo the window's height */
    for (int i = 0; i < TAPS; i++)
        sum[i] = fv_splat_f64(0);
    for (int y = 0;; y += TAPS) {
        FV_UNROLL
        for (int i = 0; i < TAPS; i++) {
            if (y + i == rows)
                return;
            float *row = column + (y + i) * FV_LANES;
            fv_f32_half value = FV_LOAD(fv_f32_half, row), term[MIDDLE + 1];
            FV_UNROLL
            for (int j = 0; j <= MIDDLE; j++)
                term[j] = value * fv_ssim_tap[j];
            FV_UNROLL
            for (int j = 0; j <= MIDDLE; j++) {
                fv_f64 product = fv_f64_from_f32(term[j]);
                int early = (i + TAPS - j) % TAPS, late = (i + 1 + j) % TAPS;
                if (j == 0) {
                    sum[early] = product;
                    FV_STORE(row, fv_f32_from_f64(sum[late] + product));
                    continue;
                }
                sum[early] += product;
                if (j < MIDDLE)
                    sum[late] += product;
            }
        }
    }
}

typedef struct Totals {
    fv_i64 light, contrast, structure, product;
} Totals;

FV_FN fv_i64 weights_at(const uint32_t *weight)
{
    fv_i64 weights;
    for (int i = 0; i < FV_LANES64; i++)
        weights[i] = weight[i];
    return weights;
}

/*
 * Adds the statistics of a column of positions, whose window sums are complete, in the first `count` lanes only.
 * weight: the weights of the first row, or NULL.
 */
FV_FN Totals add_column(Totals totals, const float *column, int rows, int count, const FvSsimStatistic *statistic,
                        const uint32_t *weight)
{
    const float c1 = statistic->c1, c2 = statistic->c2;
    const double unit = statistic->unit;
    fv_i64 lane;
    for (int i = 0; i < FV_LANES64; i++)
        lane[i] = i;
    for (int y = 0; y < rows; y++, column += FV_LANES) {
        fv_f32 mean[IMAGES];
        for (int image = 0; image < IMAGES; image++)
            mean[image] = FV_LOAD(fv_f32, column + image * IMAGE);
        FvSsimParts parts =
            fv_ssim_parts(mean[REF], mean[DIS], mean[REF_SQUARE], mean[DIS_SQUARE], mean[PRODUCT], c1, c2);
        FvHalves ref = {parts.ref_mean}, dis = {parts.dis_mean}, light_divisor = {parts.light_divisor};
        FvHalves deviation = {parts.deviation}, contrast_divisor = {parts.contrast_divisor};
        FvHalves structure = {parts.structure};
        for (int i = 0; i < 2; i++) {
            fv_i64 counts = lane < (int64_t)(count - i * FV_LANES64);
            fv_f64 l = fv_ssim_light(ref.half[i], dis.half[i], light_divisor.half[i], c1);
            fv_f64 c = fv_ssim_contrast(deviation.half[i], contrast_divisor.half[i], c2);
            fv_f64 s = fv_f64_from_f32(structure.half[i]);
            fv_i64 term[4] = {fv_fixed(l, unit), fv_fixed(c, unit), fv_fixed(s, unit), fv_fixed(l * c * s, unit)};
            for (int t = 0; weight && t < 4; t++)
                term[t] *= weights_at(weight + y * statistic->weight_stride + i * FV_LANES64);
            totals.light += term[0] & counts;
            totals.contrast += term[1] & counts;
            totals.structure += term[2] & counts;
            totals.product += term[3] & counts;
        }
    }
    return totals;
}

/* Adds a band in strips that stay in the second-level cache. */
static Totals add_band(Totals totals, const FvSsimPlane *ref, const FvSsimPlane *dis, int first, int rows,
                       const FvSsimStatistic *statistic, void *scratch)
{
    const int taps = FV_SSIM_TAPS, positions = ref->width - taps + 1;
    float *images = scratch, *filtered = images + IMAGES * FV_SSIM_PITCH;
    const uint32_t *weight = statistic->weight ? statistic->weight + first * statistic->weight_stride : NULL;
    for (int x = 0; x < positions; x += FV_SSIM_STRIP) {
        int width = positions - x < FV_SSIM_STRIP ? positions - x : FV_SSIM_STRIP;
        for (int y = 0; y < rows + taps - 1; y++) {
            make_images(ref, dis, first + y, x, width + taps - 1, images);
            filter_along(images, width, filtered + y * FV_LANES);
        }
        for (int i = 0; i < width; i += FV_LANES) {
            float *column = filtered + i * ROWS;
            for (int image = 0; image < IMAGES; image++)
                for (int half = 0; half < FV_LANES; half += FV_LANES64)
                    filter_down(column + image * IMAGE + half, rows + taps - 1);
            column += (taps - 1) * FV_LANES;
            totals = weight ? add_column(totals, column, rows, width - i, statistic, weight + x + i)
                            : add_column(totals, column, rows, width - i, statistic, NULL);
        }
    }
    return totals;
}

static void sums(const FvSsimPlane *ref, const FvSsimPlane *dis, int first, int count,
                 const FvSsimStatistic *statistic, void *scratch, FvSsimSums *to)
{
    Totals totals = {{0}, {0}, {0}, {0}};
    for (int y = 0; y < count; y += FV_SSIM_BAND) {
        int rows = count - y < FV_SSIM_BAND ? count - y : FV_SSIM_BAND;
        totals = add_band(totals, ref, dis, first + y, rows, statistic, scratch);
    }
    *to = (FvSsimSums){fv_sum_i64(totals.light), fv_sum_i64(totals.contrast), fv_sum_i64(totals.structure),
                       fv_sum_i64(totals.product)};
}

/* ---- Smaller planes ------------------------------------------------------------------------------------------ */

/* Shuffle indices of the even and the odd lanes of two vectors. */
#if FV_LANES == 16
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#elif FV_LANES == 8
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#else
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#endif

#define RING (2 * FV_SSIM_REACH + 1)

static float sample_at(const FvSsimPlane *plane, const uint8_t *row, int x)
{
    float value = plane->bytes == 4   ? ((const float *)row)[x]
                  : plane->bytes == 2 ? ((const uint16_t *)row)[x]
                                      : row[x];
    return value * plane->unit;
}

/* Writes samples 2i to even[i] and 2i + 1 to odd[i], for i from -2 to half + 1. */
FV_FN void deinterleave(const FvSsimPlane *from, int y, float *even, float *odd)
{
    const uint8_t *row = row_of(from, y);
    int width = from->width, half = (width + 1) / 2;
    for (int x = 0; x < width; x += 2 * FV_LANES) {
        fv_f32 a = samples(from, row, x), b = x + FV_LANES < width ? samples(from, row, x + FV_LANES) : a;
        FV_STORE(even + x / 2, __builtin_shufflevector(a, b, EVEN));
        FV_STORE(odd + x / 2, __builtin_shufflevector(a, b, ODD));
    }
    for (int i = -2; i < half + 2; i = i == -1 ? (width - 1) / 2 : i + 1) {
        even[i] = sample_at(from, row, fv_mirror_edge(2 * i, width));
        odd[i] = sample_at(from, row, fv_mirror_edge(2 * i + 1, width));
    }
}

static void halve_floats(const FvSsimPlane *from, float *to, ptrdiff_t stride, int first, int count, void *scratch)
{
    const int reach = FV_SSIM_REACH, width = (from->width + 1) / 2;
    const size_t pitch = FV_ROUND_UP((size_t)width + 40, 16);
    int held[RING]; /* the row number in each place of the ring */
    for (int i = 0; i < RING; i++)
        held[i] = -1;
    for (int y = first; y < first + count; y++, to = (float *)((uint8_t *)to + stride)) {
        const float *even[RING];
        for (int j = 0; j < RING; j++) {
            int row = fv_mirror_edge(2 * y - reach + j, from->height), place = row % RING;
            float *at = (float *)scratch + 2 * (size_t)place * pitch + 16;
            if (held[place] != row)
                deinterleave(from, row, at, at + pitch);
            held[place] = row;
            even[j] = at;
        }
        for (int x = 0; x < width; x += FV_LANES) {
            FvWide sum = {{{0}, {0}}};
            for (int j = 0; j < RING; j++) {
                const float *tap = fv_ssim_halve + 5 * abs(j - reach), *row[2] = {even[j] + x, even[j] + pitch + x};
                float product[RING][FV_LANES] ALIGNED;
                FV_UNROLL
                for (int i = -reach; i <= reach; i++)
                    FV_STORE(product[i + reach],
                             FV_LOAD(fv_f32, row[i & 1] + (i - (i & 1)) / 2) * tap[i < 0 ? -i : i]);
                THROUGH_MEMORY(product);
                FV_UNROLL
                for (int i = 0; i < RING; i++)
                    sum = add_at(sum, product[i]);
            }
            FV_STORE(to + x, fv_narrow(sum));
        }
    }
}

/*
 * Partial sums of each row, by its distance dy from the centre of the filter: an even row has sums for |dy| = 0, 2,
 * 4, an odd row for |dy| = 1, 3.
 */
#define PLACES (2 * FV_SSIM_REACH + 2)
#define CLASSES 3

FV_FN void halve_along(const float *even, const float *odd, int width, int parity, double *to, size_t pitch)
{
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 value[RING];
        FV_UNROLL
        for (int i = -FV_SSIM_REACH; i <= FV_SSIM_REACH; i++)
            value[i + FV_SSIM_REACH] = FV_LOAD(fv_f32, (i & 1 ? odd : even) + x + (i - (i & 1)) / 2);
        FV_UNROLL
        for (int dy = parity; dy <= FV_SSIM_REACH; dy += 2) {
            float product[RING][FV_LANES] ALIGNED;
            FV_UNROLL
            for (int i = 0; i < RING; i++)
                FV_STORE(product[i], value[i] * fv_ssim_halve[5 * dy + abs(i - FV_SSIM_REACH)]);
            THROUGH_MEMORY(product);
            FvWide sum = {{{0}, {0}}};
            FV_UNROLL
            for (int i = 0; i < RING; i++)
                sum = add_at(sum, product[i]);
            double *at = to + (size_t)(dy / 2) * pitch + x;
            FV_STORE(at, sum.half[0]);
            FV_STORE(at + FV_LANES64, sum.half[1]);
        }
    }
}

/*
 * Halves a plane of integers of up to 16 bits. Products are multiples of 2^-43, and their magnitudes add up to less
 * than 2^9, so binary64 adds them exactly in any order. A row number outside the frame keeps its parity.
 */
static void halve_integers(const FvSsimPlane *from, float *to, ptrdiff_t stride, int first, int count, void *scratch)
{
    const int reach = FV_SSIM_REACH, width = (from->width + 1) / 2;
    const size_t pitch = FV_ROUND_UP((size_t)width + 40, 16);
    float *even = (float *)scratch + 16, *odd = even + pitch;
    double *ring = (double *)((float *)scratch + 2 * pitch);
    int next = 2 * first - reach; /* the next row whose partial sums are missing */
    for (int y = first; y < first + count; y++, to = (float *)((uint8_t *)to + stride)) {
        for (; next <= 2 * y + reach; next++) {
            deinterleave(from, fv_mirror_edge(next, from->height), even, odd);
            double *at = ring + (size_t)((next + PLACES) % PLACES) * CLASSES * pitch;
            if (next & 1)
                halve_along(even, odd, width, 1, at, pitch);
            else
                halve_along(even, odd, width, 0, at, pitch);
        }
        const double *row[RING];
        for (int j = 0; j < RING; j++) {
            int place = (2 * y - reach + j + PLACES) % PLACES;
            row[j] = ring + ((size_t)place * CLASSES + (size_t)abs(j - reach) / 2) * pitch;
        }
        for (int x = 0; x < width; x += FV_LANES) {
            FvWide sum = {{{0}, {0}}};
            FV_UNROLL
            for (int j = 0; j < RING; j++) {
                sum.half[0] += FV_LOAD(fv_f64, row[j] + x);
                sum.half[1] += FV_LOAD(fv_f64, row[j] + x + FV_LANES64);
            }
            FV_STORE(to + x, fv_narrow(sum));
        }
    }
}

static void halve(const FvSsimPlane *from, float *to, ptrdiff_t stride, int first, int count, void *scratch)
{
    if (from->bytes < 4)
        halve_integers(from, to, stride, first, count, scratch);
    else
        halve_floats(from, to, stride, first, count, scratch);
}

/*
 * Shrinks a plane by `factor`. Integers below 2^16 times one weight have few bits, so binary64 adds them exactly in
 * any order.
 */
static void shrink(const FvSsimPlane *from, int factor, float *to, ptrdiff_t stride, int first, int count,
                   void *scratch)
{
    const int before = factor / 2, width = from->width / factor + from->width % 2;
    const float weight = 1.0f / (float)(factor * factor);
    double *column = (double *)scratch + 16;
    for (int y = first; y < first + count; y++, to = (float *)((uint8_t *)to + stride)) {
        const uint8_t *row[10];
        for (int j = 0; j < factor; j++)
            row[j] = row_of(from, fv_mirror_edge(factor * y - before + j, from->height));
        for (int x = 0; x < from->width; x += FV_LANES) {
            FvWide sum = {{{0}, {0}}};
            for (int j = 0; j < factor; j++)
                sum = add(sum, samples(from, row[j], x) * weight);
            FV_STORE(column + x, sum.half[0]);
            FV_STORE(column + x + FV_LANES64, sum.half[1]);
        }
        for (int i = 0; i < 16; i++) {
            column[-1 - i] = column[i];
            column[from->width + i] = column[from->width - 1 - i];
        }
        for (int x = 0; x < width; x++) {
            const double *at = column + factor * x - before;
            double sum = 0;
            for (int i = 0; i < factor; i++)
                sum += at[i];
            to[x] = (float)sum;
        }
    }
}

const FvSsimKernels FV_ISA_STRUCT(fv_ssim_kernels) = {.sums = sums, .halve = halve, .shrink = shrink};

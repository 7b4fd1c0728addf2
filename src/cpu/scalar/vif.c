/* VMAF's visual information fidelity, the reference. Sums have 64 bits. */
#include "cpu/vif.h"

#include "arith/scalar.h"

#include "arith/vif.h"
#include "cpu/border.h"

/* Means over a column, or over part of a row. */
typedef struct Means {
    uint32_t ref, dis, ref_ref, dis_dis, ref_dis;
} Means;

size_t fv_vif_scratch(int width)
{
    size_t columns = 256; /* columns of a strip, more than the vector kernels use */
    size_t strip = columns * (9 * 8 * 4 + 2 * 8 * 2) + 128 * 8 * 64 * 2;
    size_t row = (size_t)(width + 64) * sizeof(Means);
    /* Bytes that the vector kernels need to reduce a scale: five pairs of rows, and a row of 16-bit numbers. */
    size_t pairs = (size_t)(width + 128) * (5 * 4 + 2);
    size_t most = row > pairs ? row : pairs;
    return strip > most ? strip : most;
}

static uint32_t sample_at(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t stride, int x, int y)
{
    const uint8_t *row = plane + y * stride;
    return p->scale || p->depth > 8 ? ((const uint16_t *)row)[x] : row[x];
}

static uint32_t rounded(uint64_t sum, int bits)
{
    return (uint32_t)((sum + (bits ? (uint64_t)1 << (bits - 1) : 0)) >> bits);
}

static uint32_t weight_at(int scale, int offset)
{
    return (uint32_t)fv_vif_weight[9 * scale + (offset < 0 ? -offset : offset)];
}

static void average_column(const FvVifPlanes *p, int x, int y, Means *means)
{
    int reach = FV_VIF_REACH(p->scale), bits = p->scale ? 16 : p->depth,
        square_bits = p->scale ? 16 : 2 * p->depth - 16;
    uint64_t ref = 0, dis = 0, ref_ref = 0, dis_dis = 0, ref_dis = 0;
    for (int k = -reach; k <= reach; k++) {
        int row = fv_mirror(y + k, p->height);
        uint64_t r = sample_at(p, p->ref, p->ref_stride, x, row), d = sample_at(p, p->dis, p->dis_stride, x, row);
        uint64_t weight = weight_at(p->scale, k);
        ref += weight * r;
        dis += weight * d;
        ref_ref += weight * r * r;
        dis_dis += weight * d * d;
        ref_dis += weight * r * d;
    }
    *means = (Means){rounded(ref, bits), rounded(dis, bits), rounded(ref_ref, square_bits),
                     rounded(dis_dis, square_bits), rounded(ref_dis, square_bits)};
}

/* Averages a row over its columns. Means of samples are not rounded to fewer bits. */
static Means average_row(const FvVifPlanes *p, const Means *column, int x)
{
    int reach = FV_VIF_REACH(p->scale);
    Means means = {0};
    uint64_t ref_ref = 0, dis_dis = 0, ref_dis = 0;
    for (int k = -reach; k <= reach; k++) {
        const Means *at = &column[fv_mirror(x + k, p->width)];
        uint64_t weight = weight_at(p->scale, k);
        means.ref += (uint32_t)weight * at->ref;
        means.dis += (uint32_t)weight * at->dis;
        ref_ref += weight * at->ref_ref;
        dis_dis += weight * at->dis_dis;
        ref_dis += weight * at->ref_dis;
    }
    means.ref_ref = rounded(ref_ref, 16);
    means.dis_dis = rounded(dis_dis, 16);
    means.ref_dis = rounded(ref_dis, 16);
    return means;
}

/* Returns the logarithm in units of 1/2048, less the logarithm of 2^17. */
static int32_t log_of(const uint16_t *logs, double number)
{
    fv_word high_word = fv_high_word(number);
    return (int32_t)(logs[fv_vif_log_index(high_word)] + fv_vif_log_power(high_word));
}

static void add_sample(const Means *m, const uint16_t *logs, const double limit[2], FvVifSums *sums)
{
    int32_t ref = fv_vif_covariance(m->ref_ref, m->ref, m->ref);
    int32_t dis = fv_max_i32(fv_vif_covariance(m->dis_dis, m->dis, m->dis), 0);
    int32_t both = fv_vif_covariance(m->ref_dis, m->ref, m->dis);
    if (ref < FV_VIF_NOISE) {
        sums->flat_variance += dis;
        sums->flat++;
        return;
    }
    sums->denominator += log_of(logs, (double)ref + FV_VIF_NOISE);
    if (both > 0 && dis > 0) {
        double gain = fv_vif_gain(ref, both), noise = fv_vif_noise(dis, gain, both);
        for (int i = 0; i < 2 && limit[i] > 0; i++)
            sums->numerator[i] += log_of(logs, fv_vif_total(gain, limit[i], ref, noise)) - log_of(logs, noise);
    }
}

static void sums(const FvVifPlanes *p, int first, int rows, const uint16_t *logs, const double limit[2],
                 FvVifSums *sums, void *scratch)
{
    Means *column = scratch;
    *sums = (FvVifSums){.flat = 0};
    for (int y = first; y < first + rows; y++) {
        for (int x = 0; x < p->width; x++)
            average_column(p, x, y, &column[x]);
        for (int x = 0; x < p->width; x++) {
            Means means = average_row(p, column, x);
            add_sample(&means, logs, limit, sums);
        }
    }
}

static void reduce_plane(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t from_stride, int first, int rows,
                         uint16_t *to, ptrdiff_t to_stride, uint32_t *column)
{
    int scale = p->scale + 1, reach = FV_VIF_REACH(scale);
    for (int y = first; y < first + rows; y++) {
        for (int x = 0; x < p->width; x++) {
            uint64_t sum = 0;
            for (int k = -reach; k <= reach; k++)
                sum += (uint64_t)weight_at(scale, k) *
                       sample_at(p, plane, from_stride, x, fv_mirror(2 * y + k, p->height));
            column[x] = rounded(sum, p->scale ? 16 : p->depth);
        }
        uint16_t *row = (uint16_t *)((uint8_t *)to + y * to_stride);
        for (int x = 0; x < p->width / 2; x++) {
            uint64_t sum = 0;
            for (int k = -reach; k <= reach; k++)
                sum += (uint64_t)weight_at(scale, k) * column[fv_mirror(2 * x + k, p->width)];
            row[x] = (uint16_t)rounded(sum, 16);
        }
    }
}

static void reduce(const FvVifPlanes *p, int first, int rows, uint16_t *ref, uint16_t *dis, ptrdiff_t stride,
                   void *scratch)
{
    reduce_plane(p, p->ref, p->ref_stride, first, rows, ref, stride, scratch);
    reduce_plane(p, p->dis, p->dis_stride, first, rows, dis, stride, scratch);
}

static void logarithms(const uint32_t *numbers, int count, const uint16_t *logs, int32_t *to)
{
    for (int i = 0; i < count; i++)
        to[i] = log_of(logs, numbers[i]);
}

const FvVifKernels fv_vif_kernels_scalar = {.sums = sums, .reduce = reduce, .logarithms = logarithms};

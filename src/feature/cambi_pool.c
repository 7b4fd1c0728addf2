/* CAMBI: the sums of the greatest c-values. docs/metrics/cambi.md */
#include <string.h>

#include "arith/scalar.h"

#include "arith/cambi.h"
#include "cpu/cambi.h"
#include "feature/cambi_picture.h"

int64_t fv_cambi_pooled(double topk, int64_t n)
{
    int64_t k = (int64_t)(topk * (double)n);
    return k < 1 ? 1 : k > n ? n : k;
}

uint64_t fv_cambi_fixed(uint32_t bits)
{
    float c;
    memcpy(&c, &bits, sizeof c);
    return (uint64_t)((double)c * 0x1p24);
}

/*
 * Nonnegative floats have the order of their bits. So this finds the bin of the k-th greatest c-value, and then its
 * lower bits.
 */
uint64_t fv_cambi_top(const FvCambiKernels *kernels, const FvCambiScale *scale, void *frame,
                      const uint32_t *histogram, int64_t k, uint32_t count[FV_CAMBI_IN_BIN])
{
    int bin = FV_CAMBI_BINS - 1;
    for (; histogram[bin] < k; bin--)
        k -= histogram[bin];
    memset(count, 0, FV_CAMBI_IN_BIN * sizeof *count);
    uint64_t sum = kernels->select(scale, frame, bin, count);
    uint32_t first = (uint32_t)(FV_CAMBI_FIRST_BIN + bin) << FV_CAMBI_BIN_SHIFT, low = FV_CAMBI_IN_BIN - 1;
    for (; count[low] < k; low--) {
        sum += count[low] * fv_cambi_fixed(first + low);
        k -= count[low];
    }
    return sum + (uint64_t)k * fv_cambi_fixed(first + low);
}

static uint32_t bits_at(const FvCambiScale *scale, void *frame, int x, int y)
{
    uint32_t bits;
    memcpy(&bits, fv_cambi_c(scale, frame, y) + x, sizeof bits);
    return bits;
}

/*
 * Finds a bin by the upper halves of the bits, and the last value in it by the lower halves. A value of 0 adds
 * nothing.
 */
uint64_t fv_cambi_weighted(const FvCambiScale *scale, void *frame, const FvWeights *weights, uint64_t most,
                           int64_t pooled, uint64_t tally[FV_CAMBI_TALLY])
{
    __extension__ typedef unsigned __int128 Wide;
    Wide sum = 0;
    uint64_t left = most;
    uint32_t bin = FV_CAMBI_TALLY - 1;
    memset(tally, 0, FV_CAMBI_TALLY * sizeof *tally);
    for (int y = 0; y < scale->height; y++)
        for (int x = 0; x < scale->width; x++)
            tally[bits_at(scale, frame, x, y) >> 16] += weights->weight[y * weights->stride + x];
    for (; bin && tally[bin] < left; bin--)
        left -= tally[bin];
    memset(tally, 0, FV_CAMBI_TALLY * sizeof *tally);
    for (int y = 0; y < scale->height; y++)
        for (int x = 0; x < scale->width; x++) {
            const uint32_t bits = bits_at(scale, frame, x, y), weight = weights->weight[y * weights->stride + x];
            if (bits >> 16 > bin)
                sum += (Wide)fv_cambi_fixed(bits) * weight;
            else if (bits >> 16 == bin)
                tally[bits & 0xffff] += weight;
        }
    for (uint32_t low = FV_CAMBI_TALLY - 1; left && low; low--) {
        const uint64_t taken = tally[low] < left ? tally[low] : left;
        sum += (Wide)fv_cambi_fixed(bin << 16 | low) * taken;
        left -= taken;
    }
    sum += (Wide)fv_cambi_fixed(bin << 16) * left;
    return (uint64_t)(sum * (Wide)pooled / most);
}

double fv_cambi_greatest(const FvCambiPicture *picture)
{
    return (int)fv_cambi_weight[picture->tables->contrasts - 1] * picture->window * picture->window / 4;
}

double fv_cambi_score(const uint64_t *sum, const int64_t *k, int window)
{
    double score = 0;
    for (int s = 0; s < FV_CAMBI_SCALES; s++)
        score += (double)sum[s] * 0x1p-24 / (double)k[s] * (16 >> s);
    return score / (window * window);
}

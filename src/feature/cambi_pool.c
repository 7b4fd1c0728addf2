/* CAMBI: the mean of the greatest c-values. docs/metrics/cambi.md */
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

/* Nonnegative floats order like their bits: this finds the bin of the k-th greatest, and then its lower bits. */
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

/* CAMBI: the mean of the greatest c-values. docs/metrics/cambi.md */
#include <string.h>

#include "metric/cambi.h"

int64_t fv_cambi_pooled(double topk, int64_t n)
{
    int64_t k = (int64_t)(topk * (double)n);
    return k < 1 ? 1 : k > n ? n : k;
}

static uint64_t fixed(float c)
{
    return (uint64_t)((double)c * 0x1p24);
}

/*
 * Nonnegative floats order like their bits: three rounds of counting by digits (11, 11 and 10 bits) find the k-th
 * greatest.
 */
uint64_t fv_cambi_top(const float *c, ptrdiff_t stride, int width, int height, int64_t k)
{
    static const struct {
        int shift, bits;
    } digit[3] = {{21, 11}, {10, 11}, {0, 10}};
    uint32_t prefix = 0, known = 0; /* bits of the k-th value so far, and which they are */
    int64_t left = k;               /* its rank among the values with that prefix */
    for (int round = 0; round < 3; round++) {
        uint32_t count[2048] = {0}, digits = (1u << digit[round].bits) - 1;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint32_t bits;
                memcpy(&bits, c + y * stride + x, sizeof bits);
                if (bits && (bits & known) == prefix)
                    count[(bits >> digit[round].shift) & digits]++;
            }
        uint32_t d = digits;
        while (count[d] < left)
            left -= count[d--];
        prefix |= d << digit[round].shift;
        known |= digits << digit[round].shift;
    }
    float kth;
    memcpy(&kth, &prefix, sizeof kth);
    uint64_t sum = (uint64_t)left * fixed(kth);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (c[y * stride + x] > kth)
                sum += fixed(c[y * stride + x]);
    return sum;
}

double fv_cambi_score(const uint64_t *sum, const int64_t *k, int window)
{
    double score = 0;
    for (int s = 0; s < FV_CAMBI_SCALES; s++)
        score += (double)sum[s] * 0x1p-24 / (double)k[s] * (16 >> s);
    return score / (window * window);
}

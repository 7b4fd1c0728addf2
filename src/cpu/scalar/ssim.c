/* SSIM and MS-SSIM in plain C: the reference. docs/metrics/ssim.md */
#include "cpu/ssim.h"

#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/fixed.h"
#include "arith/ssim.h"
#include "cpu/border.h"

static float sample(const FvSsimPlane *plane, int x, int y)
{
    const uint8_t *row = (const uint8_t *)plane->data + y * plane->stride;
    float value = plane->bytes == 4   ? ((const float *)row)[x]
                  : plane->bytes == 2 ? ((const uint16_t *)row)[x]
                                      : row[x];
    return value * plane->unit;
}

enum { REF, DIS, REF_SQUARE, DIS_SQUARE, PRODUCT, IMAGES };

/* Filters row y of the five images along the row: [image][x]. */
static void filter_row(const FvSsimPlane *ref, const FvSsimPlane *dis, int y, float *to)
{
    int positions = ref->width - FV_SSIM_TAPS + 1;
    for (int x = 0; x < positions; x++) {
        double sum[IMAGES] = {0};
        for (int i = 0; i < FV_SSIM_TAPS; i++) {
            float r = sample(ref, x + i, y), d = sample(dis, x + i, y);
            const float value[IMAGES] = {r, d, r * r, d * d, r * d};
            for (int image = 0; image < IMAGES; image++)
                sum[image] += value[image] * fv_ssim_tap[i];
        }
        for (int image = 0; image < IMAGES; image++)
            to[image * positions + x] = (float)sum[image];
    }
}

static void sums(const FvSsimPlane *ref, const FvSsimPlane *dis, int first, int count,
                 const FvSsimStatistic *statistic, void *scratch, FvSsimSums *to)
{
    int positions = ref->width - FV_SSIM_TAPS + 1;
    size_t row = (size_t)IMAGES * (size_t)positions;
    float *ring = scratch; /* row y is at y % FV_SSIM_TAPS */
    const float c1 = statistic->c1, c2 = statistic->c2;
    const double unit = statistic->unit;
    *to = (FvSsimSums){0};
    for (int y = first; y < first + count + FV_SSIM_TAPS - 1; y++) {
        filter_row(ref, dis, y, ring + (size_t)(y % FV_SSIM_TAPS) * row);
        for (int x = 0; x < positions && y >= first + FV_SSIM_TAPS - 1; x++) {
            float mean[IMAGES];
            for (int image = 0; image < IMAGES; image++) {
                double down = 0;
                for (int j = 0; j < FV_SSIM_TAPS; j++)
                    down += ring[(size_t)((y + 1 + j) % FV_SSIM_TAPS) * row + (size_t)(image * positions + x)] *
                            fv_ssim_tap[j];
                mean[image] = (float)down;
            }
            FvSsimParts parts =
                fv_ssim_parts(mean[REF], mean[DIS], mean[REF_SQUARE], mean[DIS_SQUARE], mean[PRODUCT], c1, c2);
            double l = fv_ssim_light(parts.ref_mean, parts.dis_mean, parts.light_divisor, c1);
            double c = fv_ssim_contrast(parts.deviation, parts.contrast_divisor, c2);
            double s = parts.structure;
            int64_t weight = 1;
            if (statistic->weight)
                weight = statistic->weight[(y - FV_SSIM_TAPS + 1) * statistic->weight_stride + x];
            to->light += weight * fv_fixed(l, unit);
            to->contrast += weight * fv_fixed(c, unit);
            to->structure += weight * fv_fixed(s, unit);
            to->product += weight * fv_fixed(l * c * s, unit);
        }
    }
}

static void halve(const FvSsimPlane *from, float *to, ptrdiff_t stride, int first, int count, void *scratch)
{
    for (int y = first; y < first + count; y++, to = (float *)((uint8_t *)to + stride))
        for (int x = 0; x < (from->width + 1) / 2; x++) {
            double sum = 0;
            for (int dy = -FV_SSIM_REACH; dy <= FV_SSIM_REACH; dy++)
                for (int dx = -FV_SSIM_REACH; dx <= FV_SSIM_REACH; dx++)
                    sum += sample(from, fv_mirror_edge(2 * x + dx, from->width),
                                  fv_mirror_edge(2 * y + dy, from->height)) *
                           fv_ssim_halve[5 * abs(dy) + abs(dx)];
            to[x] = (float)sum;
        }
}

static void shrink(const FvSsimPlane *from, int factor, float *to, ptrdiff_t stride, int first, int count,
                   void *scratch)
{
    float weight = 1.0f / (float)(factor * factor);
    int width = from->width / factor + from->width % 2;
    for (int y = first; y < first + count; y++, to = (float *)((uint8_t *)to + stride))
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int j = 0; j < factor; j++)
                for (int i = 0; i < factor; i++)
                    sum += sample(from, fv_mirror_edge(factor * x - factor / 2 + i, from->width),
                                  fv_mirror_edge(factor * y - factor / 2 + j, from->height)) *
                           weight;
            to[x] = (float)sum;
        }
}

const FvSsimKernels fv_ssim_kernels_scalar = {.sums = sums, .halve = halve, .shrink = shrink};

/* Turns ADM's integers into scores. docs/metrics/adm.md */
#include "metric/adm_score.h"

#include <math.h>

#include "arith/scalar.h"

#include "arith/root.h"

/*
 * Returns the exact rounding error of a product: a b - product, where `product` is a b rounded. Dekker 1971, with
 * operands split into halves of 26 bits.
 */
static double error_of(double a, double b, double product)
{
    const double split = 134217729; /* 2^27 + 1 */
    const double a_high = a * split - (a * split - a), a_low = a - a_high;
    const double b_high = b * split - (b * split - b), b_low = b - b_high;
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/*
 * Returns f^3, corrected by the errors of both products, so that it is rounded once but for a relative error of
 * 2^-50.
 */
static double cubed(double f)
{
    double square = f * f, cube = square * f;
    return cube + (error_of(square, f, cube) + error_of(f, f, square) * f);
}

/* Adds the cube roots of the three bands, each plus the cube root of the noise. */
static float add_bands(const float value[3], float noise)
{
    float h = fv_adm_root(value[0]) + noise, v = fv_adm_root(value[1]) + noise;
    float d = fv_adm_root(value[2]) + noise;
    return h + v + d;
}

static float noise_of(const FvAdmScale *scale, double weight)
{
    int area = (scale->bottom - scale->top) * (scale->right - scale->left);
    return fv_adm_root((float)(area * weight));
}

static float denominator(const FvAdmScale *scale, const FvAdmSensitivity *at, const FvTerm terms[3], float noise)
{
    static const int bits[FV_ADM_SCALES] = {18, 32, 27, 23};
    float value[3];
    for (int band = 0; band < 3; band++) {
        int shift = bits[scale->scale] - scale->detail_row_bits - (scale->scale ? scale->detail_cube_bits : 0);
        double factor = band == 2 ? at->diagonal : at->straight;
        value[band] = (float)(ldexp((double)(uint64_t)terms[band].integer, -shift) * cubed(factor));
    }
    return add_bands(value, noise);
}

static float numerator(const FvAdmScale *scale, const FvTerm terms[3], float noise)
{
    static const int bits[FV_ADM_SCALES] = {52, 45, 39, 36};
    float value[3];
    for (int band = 0; band < 3; band++) {
        int shift = bits[scale->scale] - scale->cube_bits[band] - scale->row_bits;
        if (scale->scale == 0 && band == 2)
            shift += 5;
        value[band] = scale->scale == 0 ? (float)ldexp((double)terms[band].integer, -shift)
                                        : ldexpf((float)terms[band].integer, -shift);
    }
    return add_bands(value, noise);
}

void fv_adm_score(const FvAdm *adm, const FvAdmWeights *weights, const FvTerm *terms, FvAdmScores *scores)
{
    double restored = 0, detail = 0, additive = 0;
    for (int i = 0; i < FV_ADM_SCALES; i++, terms += 9) {
        float num = 0, den = (float)1e-10, aim = 0;
        const FvAdmScale *scale = &adm->scale[i];
        if (scale->scored) {
            float noise = noise_of(scale, weights->noise_weight);
            den = denominator(scale, &adm->sensitivity[i], terms, noise);
            num = numerator(scale, terms + 3, noise);
            aim = scale->impairment ? numerator(scale, terms + 6, 0) : 0;
        }
        restored += num;
        detail += den;
        additive += aim;
        scores->scale_numerator[i] = num;
        scores->scale_denominator[i] = den;
        scores->scale[i] = (double)num / (double)den;
    }
    double limit = 1e-10 * ((double)adm->scale->width * adm->scale->height) / (1920.0 * 1080.0);
    restored = restored < limit ? 0 : restored;
    detail = detail < limit ? 0 : detail;
    scores->numerator = restored;
    scores->denominator = detail;
    scores->adm2 = detail == 0 ? 1 : restored / detail;
    scores->aim = detail == 0 ? 0 : additive / detail;
    double mean = scores->adm2 * weights->dlm_weight + (1 - scores->aim) * (1 - weights->dlm_weight);
    scores->adm3 = mean > weights->minimum ? mean : weights->minimum;
}

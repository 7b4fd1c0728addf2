/* PSNR-HVS: the masked error of DCT coefficients in decibels. docs/metrics/psnr_hvs.md */
#include <math.h>

#include "arith/exact.h"
#include "feature/psnr_hvs.h"
#include "metric/metric.h"

enum { LUMA, CB, CR, COMBINED, OUTPUTS };

#define SCORE(name, help)                                                                                            \
    {                                                                                                                \
        name, "dB", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, false, help                                            \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    SCORE("psnr_hvs_y", "PSNR-HVS of luma"),
    SCORE("psnr_hvs_cb", "PSNR-HVS of Cb"),
    SCORE("psnr_hvs_cr", "PSNR-HVS of Cr"),
    SCORE("psnr_hvs", "luma's error weighs 0.8, Cb's and Cr's 0.1 each"),
};

static double decibel(double error)
{
    return 10 * (-1 * fv_log10_exact(1 * error));
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvHvs *hvs = run->feature[0]->state;
    const FvTerm *sum = fv_rows_at(rows, 0, frame);
    int peak = (1 << run->dis.depth) - 1;
    double mean[3];
    for (int i = 0; i < 3; i++) {
        float terms = (float)(64.0 * hvs->plane[i].columns * hvs->plane[i].rows);
        mean[i] = (float)sum[i].real / terms / (float)(peak * peak);
        values[LUMA + i] = decibel(mean[i]);
    }
    values[COMBINED] = decibel(0.8 * mean[0] + 0.1 * (mean[1] + mean[2]));
    return FV_OK;
}

const FvMetric fv_metric_psnr_hvs = {
    .info = {.name = "psnr_hvs",
             .title = "PSNR of DCT coefficients, weighted by contrast sensitivity, with contrast masking",
             .citation = "Ponomarenko et al., On between-coefficient contrast masking of DCT basis functions, 2007",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    .feature = &fv_feature_psnr_hvs,
    .score = score,
};

/* PSNR and SSIM of luminance in the perceptually uniform units of PU21, for HDR and SDR. docs/metrics/pu.md */
#include <math.h>

#include "arith/dmath.h"
#include "base/error.h"
#include "feature/ssim.h"
#include "metric/display.h"

#define LIMIT 120 /* dB of equal frames */

typedef struct PsnrOptions {
    FvPuOptions pu;
    double psnr_peak;
} PsnrOptions;

#define PSNR_OPTION_LIST(X)                                                                                          \
    FV_PU_OPTIONS(X, PsnrOptions)                                                                                    \
    X(PsnrOptions, psnr_peak, REAL,                                                                                  \
      ("psnr_peak", NULL, 256, 1, 1000, "PU", "peak of the PSNR; about SDR white, not the display's peak"))
FV_OPTIONS(psnr_options, PSNR_OPTION_LIST);

#define SSIM_OPTION_LIST(X) FV_PU_OPTIONS(X, FvPuSsimOptions) X(FvPuSsimOptions, scale, INT, FV_PU_SSIM_SCALE)
FV_OPTIONS(ssim_options, SSIM_OPTION_LIST);

enum { PSNR, APSNR, PSNR_OUTPUTS };
static const FvOutputInfo psnr_outputs[PSNR_OUTPUTS] = {
    {"pu_psnr", "dB", -56, LIMIT, FV_HIGHER_IS_BETTER, false, "PSNR of luminance in PU21; its peak is SDR white"},
    {"pu_apsnr", "dB", -56, LIMIT, FV_HIGHER_IS_BETTER, true, "PSNR of the clip's mean squared error in PU21"},
};
static const FvOutputInfo ssim_outputs[] = {
    {"pu_ssim", "", -1, 1, FV_HIGHER_IS_BETTER, false, "structural similarity of luminance in PU21"},
};

static FvPuOptions options_of(const FvMetricInstance *run)
{
    FvPuOptions options = *(const FvPuOptions *)run->options;
    options.display = fv_display_by_tags(run, &options.display);
    return options;
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    run->limit = LIMIT;
    return fv_display_choose(run, &((const FvPuOptions *)run->options)->display, error);
}

/* ---- PSNR --------------------------------------------------------------------------------------------------- */

static void want_units(const FvMetricInstance *run, FvWants *wants)
{
    const FvPuOptions options = options_of(run);
    fv_want(wants, &fv_feature_pu21, &options);
}

/* Returns the decibels of a sum of squared differences over `samples` samples. */
static double decibels(const FvMetricInstance *run, FvPuSum sum, double samples)
{
    const double peak = ((const PsnrOptions *)run->options)->psnr_peak;
    const uint64_t high = sum.high + (sum.low >> 32), low = sum.low & 0xffffffff;
    if (!(high | low))
        return LIMIT;
    const double mse = (((double)high * 4294967296. + (double)low) / samples) / 268435456;
    return fmin(10 * fv_d_log10(peak * peak / mse), LIMIT);
}

static FvPuSum sum_of(const FvTerm *terms)
{
    return (FvPuSum){(uint64_t)terms[FV_PU_LOW].integer, (uint64_t)terms[FV_PU_HIGH].integer};
}

static FvStatus score_psnr(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values,
                           FvError *error)
{
    values[PSNR] = decibels(run, sum_of(fv_rows_at(rows, 0, frame)), (double)run->dis.width * run->dis.height);
    return FV_OK;
}

static FvStatus pool_psnr(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error)
{
    FvPuSum total = {0, 0};
    int64_t frames = 0;
    for (int64_t frame = rows->first; frame <= rows->last; frame++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame);
        if (!terms)
            continue;
        const FvPuSum sum = sum_of(terms);
        total.high += sum.high + (sum.low >> 32);
        total.low += sum.low & 0xffffffff;
        frames++;
    }
    values[APSNR] = frames ? decibels(run, total, (double)run->dis.width * run->dis.height * (double)frames) : NAN;
    return FV_OK;
}

const FvMetric fv_metric_pu_psnr = {
    .info = {.name = "pu_psnr",
             .title = "PSNR of luminance in perceptually uniform units, for HDR and SDR",
             .citation = "Mantiuk and Azimi, PU21, Picture Coding Symposium 2021",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = psnr_outputs,
             .output_count = PSNR_OUTPUTS},
    FV_METRIC_OPTIONS(psnr_options, PsnrOptions),
    .features = want_units,
    .init = init,
    .score = score_psnr,
    .pool = pool_psnr,
};

/* ---- SSIM --------------------------------------------------------------------------------------------------- */

static void want_ssim(const FvMetricInstance *run, FvWants *wants)
{
    const FvPuSsimOptions *o = run->options;
    const FvPuSsimOptions options = {options_of(run), o->scale};
    fv_want(wants, &fv_feature_pu_ssim, &options);
}

static FvStatus score_ssim(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values,
                           FvError *error)
{
    values[0] = fv_ssim_mean(run->feature[0]->state, 0, 3, fv_rows_at(rows, 0, frame));
    return FV_OK;
}

const FvMetric fv_metric_pu_ssim = {
    .info = {.name = "pu_ssim",
             .title = "Structural similarity of luminance in perceptually uniform units, for HDR and SDR",
             .citation = "Mantiuk and Azimi, PU21, Picture Coding Symposium 2021; Wang et al., 2004",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = ssim_outputs,
             .output_count = 1},
    FV_METRIC_OPTIONS(ssim_options, FvPuSsimOptions),
    .features = want_ssim,
    .init = init,
    .score = score_ssim,
};

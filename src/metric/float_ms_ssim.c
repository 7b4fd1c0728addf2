/* MS-SSIM: structural similarity of luma over five scales. docs/metrics/ssim.md */
#include <math.h>

#include "arith/exact.h"
#include "feature/ssim.h"
#include "metric/metric.h"
#include "metric/ssim_db.h"

typedef struct MsSsimOptions {
    bool lcs, db, clip;
} MsSsimOptions;

#define OPTION_LIST(X)                                                                                               \
    X(MsSsimOptions, lcs, BOOL,                                                                                      \
      ("enable_lcs", "", 0, "also report luminance, contrast and structure of each scale"))                          \
    X(MsSsimOptions, db, BOOL, ("enable_db", "", 0, "the score in decibels: -10 log10(1 - score)"))                  \
    X(MsSsimOptions, clip, BOOL, ("clip_db", "", 0, "limits decibels to those of the smallest possible difference"))
FV_OPTIONS(ms_ssim_options, OPTION_LIST);

enum { SCORE, TERMS, OUTPUTS = TERMS + 3 * FV_SSIM_SCALES };

#define MEAN(name, help)                                                                                             \
    {                                                                                                                \
        name, "", -1, 1, FV_HIGHER_IS_BETTER, false, help                                                            \
    }
#define MEANS(letter, what)                                                                                          \
    MEAN("float_ms_ssim_" letter "_scale0", "mean of the " what " term of the finest scale"),                        \
        MEAN("float_ms_ssim_" letter "_scale1", "mean of the " what " term of scale 1"),                             \
        MEAN("float_ms_ssim_" letter "_scale2", "mean of the " what " term of scale 2"),                             \
        MEAN("float_ms_ssim_" letter "_scale3", "mean of the " what " term of scale 3"),                             \
        MEAN("float_ms_ssim_" letter "_scale4", "mean of the " what " term of the coarsest scale")
static const FvOutputInfo outputs[OUTPUTS] = {
    {"float_ms_ssim", "", 0, INFINITY, FV_HIGHER_IS_BETTER, false,
     "structural similarity of luma over five scales; dB with enable_db"},
    MEANS("l", "luminance"),
    MEANS("c", "contrast"),
    MEANS("s", "structure"),
};

/* Exponents of each scale. Only the coarsest scale's luminance counts. */
static const float light_exponent[FV_SSIM_SCALES] = {0, 0, 0, 0, 0.1333f};
static const float detail_exponent[FV_SSIM_SCALES] = {0.0448f, 0.2856f, 0.3001f, 0.2363f, 0.1333f};

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const MsSsimOptions *options = run->options;
    run->present = (1u << (options->lcs ? OUTPUTS : TERMS)) - 1;
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const MsSsimOptions *options = run->options;
    const FvSsim *ssim = run->feature[0]->state;
    const FvTerm *row = fv_rows_at(rows, 0, frame);
    double product = 1;
    for (int i = 0; i < FV_SSIM_SCALES; i++) {
        double mean[3];
        for (int term = 0; term < 3; term++)
            mean[term] = values[TERMS + term * FV_SSIM_SCALES + i] = fv_ssim_mean(ssim, i, term, row);
        product *= fv_pow_exact(mean[0], light_exponent[i]) * fv_pow_exact(mean[1], detail_exponent[i]) *
                   fv_pow_exact(mean[2], detail_exponent[i]);
    }
    values[SCORE] = product;
    if (options->db)
        values[SCORE] = fv_ssim_db(product, options->clip ? fv_ssim_db_limit(&run->dis) : INFINITY);
    return FV_OK;
}

const FvMetric fv_metric_float_ms_ssim = {
    .info = {.name = "float_ms_ssim",
             .title = "Multiscale structural similarity of luma",
             .citation = "Wang et al., Multiscale structural similarity for image quality assessment, 2003; filtered "
                         "and rounded as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(ms_ssim_options, MsSsimOptions),
    .feature = &fv_feature_ms_ssim,
    .init = init,
    .score = score,
};

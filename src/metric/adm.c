/*
 * ADM: the share of the reference's detail that the distorted video keeps, and the impairment that it adds.
 * docs/metrics/adm.md
 */
#include <math.h>

#include "metric/adm_score.h"
#include "metric/metric.h"

typedef struct AdmOptions {
    FvAdmOptions feature;
    FvAdmWeights weights;
    bool debug;
} AdmOptions;

#define OPTION_LIST(X)                                                                                               \
    FV_ADM_OPTION_LIST(X, AdmOptions, feature.)                                                                      \
    X(AdmOptions, weights.dlm_weight, REAL,                                                                          \
      ("adm_dlm_weight", "dlmw", 0.5, 0, 1, NULL, "weight of adm2 in adm3; 1 - aim has the rest"))                   \
    X(AdmOptions, weights.noise_weight, REAL,                                                                        \
      ("adm_noise_weight", "nw", 0.03125, 0, 1500, NULL, "noise floor of numerator and denominator"))                \
    X(AdmOptions, weights.minimum, REAL, ("adm_min_val", "min", 0, 0, 1, NULL, "least value of adm3"))               \
    X(AdmOptions, debug, BOOL, ("debug", "", 0, "also report numerators and denominators"))
FV_OPTIONS(adm_options, OPTION_LIST);

enum { ADM2, ADM3, AIM, SCALE, PLAIN = 7, NUM, DEN, NUM_SCALE, DEN_SCALE = 14, OUTPUTS = 18 };

#define SCORE(name, better, help)                                                                                    \
    {                                                                                                                \
        name, "", 0, INFINITY, better, false, help                                                                   \
    }
#define SCALES(name, better, help)                                                                                   \
    SCORE(name "0", better, help " of the finest scale"), SCORE(name "1", better, help " of scale 1"),               \
        SCORE(name "2", better, help " of scale 2"), SCORE(name "3", better, help " of the coarsest scale")
static const FvOutputInfo outputs[OUTPUTS] = {
    SCORE("integer_adm2", FV_HIGHER_IS_BETTER, "share of the reference's detail that is restored"),
    {"integer_adm3", "", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, false, "adm2 and 1 - aim, weighted"},
    SCORE("integer_aim", FV_LOWER_IS_BETTER, "additive impairment: detail that the reference lacks"),
    SCALES("integer_adm_scale", FV_HIGHER_IS_BETTER, "share"),
    SCORE("integer_adm", FV_HIGHER_IS_BETTER, "equal to integer_adm2"),
    SCORE("integer_adm_num", FV_HIGHER_IS_BETTER, "restored detail"),
    SCORE("integer_adm_den", FV_NEITHER_IS_BETTER, "detail of the reference"),
    SCALES("integer_adm_num_scale", FV_HIGHER_IS_BETTER, "restored detail"),
    SCALES("integer_adm_den_scale", FV_NEITHER_IS_BETTER, "detail of the reference"),
};

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const AdmOptions *options = run->options;
    run->present = (1u << (options->debug ? OUTPUTS : PLAIN)) - 1;
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const AdmOptions *options = run->options;
    FvAdmScores scores;
    fv_adm_score(run->feature[0]->state, &options->weights, fv_rows_at(rows, 0, frame), &scores);
    values[ADM2] = values[PLAIN] = scores.adm2;
    values[ADM3] = scores.adm3;
    values[AIM] = scores.aim;
    values[NUM] = scores.numerator;
    values[DEN] = scores.denominator;
    for (int i = 0; i < FV_ADM_SCALES; i++) {
        values[SCALE + i] = scores.scale[i];
        values[NUM_SCALE + i] = scores.scale_numerator[i];
        values[DEN_SCALE + i] = scores.scale_denominator[i];
    }
    return FV_OK;
}

const FvMetric fv_metric_adm = {
    .info = {.name = "adm",
             .title = "Detail loss of VMAF: restored detail and additive impairment",
             .citation = "Li et al., Image quality assessment by separately evaluating detail losses and additive "
                         "impairments, 2011; integer form as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(adm_options, AdmOptions),
    .feature = &fv_feature_adm,
    .init = init,
    .score = score,
};

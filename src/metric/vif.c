/* Visual information fidelity of VMAF: ratios of information at four scales. docs/metrics/vif.md */
#include "feature/vif.h"

#include <math.h>

#include "metric/metric.h"

typedef struct VifOptions {
    FvVifOptions feature;
    bool debug;
} VifOptions;

#define OPTION_LIST(X)                                                                                               \
    FV_VIF_OPTIONS(X, VifOptions, feature.)                                                                          \
    X(VifOptions, debug, BOOL, ("debug", "debug", 0, "also report all scales together, numerators and denominators"))
FV_OPTIONS(vif_options, OPTION_LIST);

enum { SCALE, ALL = 4, ALL_NUMERATOR, ALL_DENOMINATOR, NUMERATOR, DENOMINATOR = 11, OUTPUTS = 15 };

#define SCORE(name, help)                                                                                            \
    {                                                                                                                \
        name, "score", 0, INFINITY, FV_HIGHER_IS_BETTER, false, help                                                 \
    }
#define INFORMATION(name, help)                                                                                      \
    {                                                                                                                \
        name, "bit", -INFINITY, INFINITY, FV_NEITHER_IS_BETTER, false, help                                          \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    SCORE("integer_vif_scale0", "share of the information that remains of the finest details"),
    SCORE("integer_vif_scale1", "share of the information that remains of details twice as coarse"),
    SCORE("integer_vif_scale2", "share of the information that remains of details four times as coarse"),
    SCORE("integer_vif_scale3", "share of the information that remains of details eight times as coarse"),
    SCORE("integer_vif", "share of the information that remains of all scales together"),
    INFORMATION("integer_vif_num", "information in the distorted picture"),
    INFORMATION("integer_vif_den", "information in the reference"),
    INFORMATION("integer_vif_num_scale0", "information in the distorted picture: the finest details"),
    INFORMATION("integer_vif_num_scale1", "information in the distorted picture: details twice as coarse"),
    INFORMATION("integer_vif_num_scale2", "information in the distorted picture: details four times as coarse"),
    INFORMATION("integer_vif_num_scale3", "information in the distorted picture: details eight times as coarse"),
    INFORMATION("integer_vif_den_scale0", "information in the reference: the finest details"),
    INFORMATION("integer_vif_den_scale1", "information in the reference: details twice as coarse"),
    INFORMATION("integer_vif_den_scale2", "information in the reference: details four times as coarse"),
    INFORMATION("integer_vif_den_scale3", "information in the reference: details eight times as coarse"),
};

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const VifOptions *options = run->options;
    run->present = options->debug ? (1u << OUTPUTS) - 1 : (1u << ALL) - 1;
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const VifOptions *options = run->options;
    const FvTerm *term = fv_rows_at(rows, 0, frame);
    double all_numerator = 0, all_denominator = 0;
    for (int scale = 0; scale < 4; scale++, term += FV_VIF_TERMS) {
        double flat = (double)term[FV_VIF_FLAT].integer;
        float numerator = (float)((double)term[FV_VIF_NUMERATOR].integer / 2048.0 +
                                  (flat - ((double)term[FV_VIF_FLAT_VARIANCE].integer / 16384.0) / 65025.0));
        float denominator = (float)((double)term[FV_VIF_DENOMINATOR].integer / 2048.0 + flat);
        if (!scale && options->feature.skip_scale0) {
            numerator = 0;
            denominator = -1;
        } else {
            all_numerator += numerator;
            all_denominator += denominator;
        }
        values[SCALE + scale] = !scale && options->feature.skip_scale0 ? 0 : numerator / denominator;
        values[NUMERATOR + scale] = numerator;
        values[DENOMINATOR + scale] = denominator;
    }
    values[ALL] = all_denominator == 0 ? 1 : all_numerator / all_denominator;
    values[ALL_NUMERATOR] = all_numerator;
    values[ALL_DENOMINATOR] = all_denominator;
    return FV_OK;
}

const FvMetric fv_metric_vif = {
    .info = {.name = "vif",
             .title = "Visual information fidelity of VMAF",
             .citation = "Sheikh, Bovik: Image Information and Visual Quality, IEEE TIP 15(2), 2006; as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(vif_options, VifOptions),
    .feature = &fv_feature_vif,
    .init = init,
    .score = score,
};

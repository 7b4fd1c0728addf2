/* SSIMULACRA 2: compares the structure of two frames in XYB, over six levels. docs/metrics/ssimulacra2.md */
#include <math.h>

#include "arith/dmath.h"
#include "feature/ssimulacra2.h"
#include "metric/light.h"

FV_OPTIONS(ssimulacra2_options, FV_SS2_OPTIONS);

static const FvOutputInfo outputs[] = {{"ssimulacra2", "score", -INFINITY, 100, FV_HIGHER_IS_BETTER, false,
                                        "100: equal; about 90: no difference is seen; 70: high quality; 50: medium"}};

static void features(const FvMetricInstance *run, FvWants *wants)
{
    FvSs2Options options = *(const FvSs2Options *)run->options;
    options.light = fv_light_by_tags(run, &options.light);
    fv_want(wants, &fv_feature_ssimulacra2, &options);
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const FvSs2Options *options = run->options;
    fv_light_note(run, &options->light);
    return fv_light_check(run, &options->light, error);
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    double x = fv_rows_at(rows, 0, frame)->real * 0.9562382616834844;
    x = (2.326765642916932 * x - 0.020884521182843837 * x * x) + 6.248496625763138e-05 * x * x * x;
    values[0] = x > 0 ? 100 - 10 * fv_d_pow(x, 0.6276336467831387) : 100;
    return FV_OK;
}

static const FvMapOrigin map_origins[] = {{0, 0}};

const FvMetric fv_metric_ssimulacra2 = {
    .info = {.name = "ssimulacra2",
             .title = "SSIMULACRA 2: structural differences in XYB",
             .citation = "J. Sneyers, SSIMULACRA 2.1, 2023 (Cloudinary)",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = outputs,
             .output_count = 1,
             .maps = fv_ss2_maps,
             .map_count = 1},
    FV_METRIC_OPTIONS(ssimulacra2_options, FvSs2Options),
    .features = features,
    .init = init,
    .score = score,
    .maps = map_origins,
};

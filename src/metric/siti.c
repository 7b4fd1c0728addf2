/* Spatial and temporal information of ITU-T P.910. docs/metrics/siti.md */
#include <math.h>

#include "metric/check.h"

#define OPTION_LIST(X) X(FvSitiOptions, domain, TEXT, FV_SITI_DOMAIN)
FV_OPTIONS(siti_options, OPTION_LIST);

enum { SI, TI, OUTPUTS };

#define LIST(side, of)                                                                                               \
    {"si" side, "", 0, INFINITY, FV_NEITHER_IS_BETTER, false, "spread of the gradients: how much detail" of},        \
    {                                                                                                                \
        "ti" side, "", 0, INFINITY, FV_NEITHER_IS_BETTER, false,                                                     \
            "spread of the changes from the frame before: how much motion" of                                        \
    }
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const bool inside = run->dis.width > 2 && run->dis.height > 2;
    fv_check_present(run, (inside ? 1u << SI : 0) | 1u << TI);
    return FV_OK;
}

/* Returns the root of n * squares - sum^2; the difference is an exact integer. */
static double spread(const FvTerm *sums, uint64_t n)
{
    __extension__ typedef __int128 Wide;
    const Wide squares = ((Wide)sums[2].integer << 32) + sums[1].integer, sum = sums[0].integer;
    return sqrt((double)((Wide)n * squares - sum * sum));
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const uint64_t samples = (uint64_t)run->dis.width * (uint64_t)run->dis.height,
                   inside = (uint64_t)(run->dis.width - 2) * (uint64_t)(run->dis.height - 2);
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame) + side * FV_SITI_TERMS;
        const double unit = (double)fv_siti_unit(run->options, fv_check_side(run, side));
        double *value = values + side * OUTPUTS;
        value[SI] = spread(terms + FV_SITI_SI, inside) / (double)(4 * inside) * 255.0 / unit;
        value[TI] = frame ? spread(terms + FV_SITI_TI, samples) / (double)samples * 255.0 / unit : fv_missing();
    }
    return FV_OK;
}

const FvMetric fv_metric_siti = {
    .info = {.name = "siti",
             .title = "Spatial and temporal information",
             .citation = "ITU-T P.910 (10/2023), clause 7.8 and Annex B",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * OUTPUTS},
    FV_METRIC_OPTIONS(siti_options, FvSitiOptions),
    .feature = &fv_feature_siti,
    .init = init,
    .score = score,
};

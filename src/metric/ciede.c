/* CIEDE2000: colour difference of all pixels, as a level. docs/metrics/ciede.md */
#include <math.h>

#include "feature/ciede.h"
#include "metric/metric.h"

#define OPTION_LIST(X) X(FvCiedeOptions, peer_layout, BOOL, FV_CIEDE_PEER_LAYOUT)
FV_OPTIONS(ciede_options, OPTION_LIST);

static const FvOutputInfo outputs[] = {
    {"ciede2000", "dB", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, false,
     "45 - 20 log10 of the mean colour difference; infinite for equal pictures"},
};

static FvStatus score(const FvMetricRun *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvCiede *ciede = run->feature[0]->state;
    double pixels = (double)run->dis.width * run->dis.height;
    double mean = (double)fv_rows_at(rows, 0, frame)->integer / ciede->unit / pixels;
    values[0] = 45 - 20 * log10(mean);
    return FV_OK;
}

const FvMetric fv_metric_ciede = {
    .info = {.name = "ciede",
             .title = "CIEDE2000 colour difference",
             .citation =
                 "Sharma et al., The CIEDE2000 color-difference formula, 2005; weights and level as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = sizeof outputs / sizeof *outputs},
    FV_METRIC_OPTIONS(ciede_options, FvCiedeOptions),
    .feature = &fv_feature_ciede,
    .score = score,
};

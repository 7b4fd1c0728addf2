/* Fields and combing. docs/metrics/scan.md */
#include "metric/check.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvScanRule, comb_pixels, INT,                                                                                  \
      ("comb_pixels", "", 80, 0, 256, "px", "combed pixels of a block of 16x16 that a frame may have"))              \
    X(FvScanRule, comb_time, REAL, ("comb_time", "", 0, 0, 86400, "s", "shortest combed part; 0: any"))
FV_OPTIONS(scan_options, OPTION_LIST);

#define LIST(side, of)                                                                                               \
    {                                                                                                                \
        "comb" side, "px", 0, 256, FV_LOWER_IS_BETTER, false, "most combed pixels of a block of 16x16" of            \
    }
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    fv_check_present(run, run->dis.height >= 5);
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    for (int side = 0; side < fv_check_sides(run); side++)
        values[side] = (double)fv_rows_at(rows, 0, frame)[side * FV_SCAN_TERMS + FV_SCAN_COMB].integer;
    return FV_OK;
}

const FvMetric fv_metric_scan = {
    .info = {.name = "scan",
             .title = "Fields and combing",
             .citation = "limits of combing as in FFmpeg's fieldmatch",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES},
    FV_METRIC_OPTIONS(scan_options, FvScanRule),
    .feature = &fv_feature_scan,
    .init = init,
    .score = score,
};

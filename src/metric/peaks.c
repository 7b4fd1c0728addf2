/* Light levels of PQ and HLG. docs/metrics/light.md */
#include <stdio.h>

#include "metric/check.h"
#include "picture/colour.h"

#define OPTION_LIST(X) X(FvPeaksOptions, hlg_peak, INT, FV_PEAKS_HLG_PEAK)
FV_OPTIONS(light_options, OPTION_LIST);

enum { MOST, MEAN, P99, P9999, BT709, P3, MAX_CLL, MAX_FALL, OUTPUTS };

#define LIGHT(name, sequence, help)                                                                                  \
    {                                                                                                                \
        name, "cd/m2", 0, 10000, FV_NEITHER_IS_BETTER, sequence, help                                                \
    }
#define LIST(side, of)                                                                                               \
    LIGHT("light_max" side, false, "greatest component of a pixel" of),                                              \
        LIGHT("light_mean" side, false, "mean of the greatest components" of),                                       \
        LIGHT("light_p99" side, false, "light that 99 % of the pixels do not exceed" of),                            \
        LIGHT("light_p9999" side, false, "light that 99.99 % of the pixels do not exceed" of),                       \
        {"outside_bt709" side, "", 0, 1, FV_NEITHER_IS_BETTER, false, "share of colours outside BT.709" of},         \
        {"outside_p3" side, "", 0, 1, FV_NEITHER_IS_BETTER, false, "share of colours outside P3 with D65" of},       \
        LIGHT("max_cll" side, true, "MaxCLL as measured" of), LIGHT("max_fall" side, true, "MaxFALL as measured" of)
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const uint64_t light = 1u << MOST | 1u << MEAN | 1u << P99 | 1u << P9999 | 1u << MAX_CLL | 1u << MAX_FALL,
                   outside = 1u << BT709 | 1u << P3;
    run->present = 0;
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvFormat *format = fv_check_side(run, side);
        const uint64_t present = !fv_check_is_hdr(format)              ? 0
                                 : format->primaries == FV_H273_BT2020 ? light | outside
                                                                       : light;
        run->present |= present << side * OUTPUTS;
    }
    if (!run->present)
        snprintf(run->note, sizeof run->note, "light has no scores: the video is neither PQ nor HLG");
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const double samples = (double)run->dis.width * run->dis.height;
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame) + side * FV_PEAKS_TERMS;
        double *value = values + side * OUTPUTS;
        value[MOST] = (double)terms[FV_PEAKS_MOST].integer / 65536.0;
        value[MEAN] = (double)terms[FV_PEAKS_SUM].integer / samples / 65536.0;
        value[P99] = (double)terms[FV_PEAKS_P99].integer / 65536.0;
        value[P9999] = (double)terms[FV_PEAKS_P9999].integer / 65536.0;
        value[BT709] = (double)terms[FV_PEAKS_BT709].integer / samples;
        value[P3] = (double)terms[FV_PEAKS_P3].integer / samples;
    }
    return FV_OK;
}

static FvStatus pool(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error)
{
    const double samples = (double)run->dis.width * run->dis.height;
    for (int side = 0; side < fv_check_sides(run); side++) {
        int64_t most = 0, sum = 0;
        for (int64_t frame = rows->first; frame <= rows->last; frame++) {
            const FvTerm *terms = fv_rows_at(rows, 0, frame);
            terms = terms ? terms + side * FV_PEAKS_TERMS : NULL;
            most = terms && terms[FV_PEAKS_MOST].integer > most ? terms[FV_PEAKS_MOST].integer : most;
            sum = terms && terms[FV_PEAKS_SUM].integer > sum ? terms[FV_PEAKS_SUM].integer : sum;
        }
        values[side * OUTPUTS + MAX_CLL] = (double)most / 65536.0;
        values[side * OUTPUTS + MAX_FALL] = (double)sum / samples / 65536.0;
    }
    return FV_OK;
}

const FvMetric fv_metric_peaks = {
    .info = {.name = "light",
             .title = "Light levels of PQ and HLG",
             .citation = "CTA-861.3 for MaxCLL and MaxFALL",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * OUTPUTS},
    FV_METRIC_OPTIONS(light_options, FvPeaksOptions),
    .feature = &fv_feature_peaks,
    .init = init,
    .score = score,
    .pool = pool,
};

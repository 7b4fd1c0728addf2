/* Black frames, frames of one colour, and bars. docs/metrics/black.md */
#include "metric/check.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvBlackRule, feature.pixel, INT, FV_BLACK_PIXEL)                                                               \
    X(FvBlackRule, share, INT, ("share", "", 980, 1, 1000, "1/1000", "black samples that make a frame black"))       \
    X(FvBlackRule, time, REAL, ("time", "", 2, 0, 86400, "s", "shortest black part"))                                \
    X(FvBlackRule, flat_spread, INT,                                                                                 \
      ("flat_spread", "", 2, 0, 255, "code", "most that samples of a plane of one colour differ, at 8 bits"))        \
    X(FvBlackRule, flat_time, REAL, ("flat_time", "", 0, 0, 86400, "s", "shortest part of one colour; 0: any"))      \
    X(FvBlackRule, bars_time, REAL, ("bars_time", "", 1, 0, 86400, "s", "shortest part with other bars"))
FV_OPTIONS(black_options, OPTION_LIST);

enum { BLACK, TOP, OUTPUTS = TOP + 4 };

#define BAR(name, side, help)                                                                                        \
    {                                                                                                                \
        name side, "px", 0, FV_MAX_SIDE, FV_NEITHER_IS_BETTER, false, help                                           \
    }
#define LIST(side, of)                                                                                               \
    {"black" side, "", 0, 1, FV_NEITHER_IS_BETTER, false, "share of luma that is black" of},                         \
        BAR("bar_top", side, "rows of the bar above" of), BAR("bar_bottom", side, "rows of the bar below" of),       \
        BAR("bar_left", side, "columns of the bar at the left" of),                                                  \
        BAR("bar_right", side, "columns of the bar at the right" of)
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    fv_check_present(run, (1u << OUTPUTS) - 1);
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame) + side * FV_BLACK_TERMS;
        double *value = values + side * OUTPUTS;
        value[BLACK] = (double)terms[FV_BLACK_SAMPLES].integer / ((double)run->dis.width * run->dis.height);
        for (int i = 0; i < 4; i++)
            value[TOP + i] = (double)terms[FV_BLACK_BARS + i].integer;
    }
    return FV_OK;
}

const FvMetric fv_metric_black = {
    .info = {.name = "black",
             .title = "Black pictures and bars",
             .citation = "limits as in FFmpeg's blackdetect; bars as in docs/scaling.md",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * OUTPUTS},
    FV_METRIC_OPTIONS(black_options, FvBlackRule),
    .feature = &fv_feature_black,
    .init = init,
    .score = score,
};

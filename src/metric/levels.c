/* Levels of samples and their legality by EBU R 103. docs/metrics/levels.md */
#include <math.h>

#include "metric/check.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvLevelsRule, illegal_share, INT,                                                                              \
      ("illegal_share", "", 10, 0, 1000, "1/1000", "most of the picture that may be outside R 103"))                 \
    X(FvLevelsRule, illegal_time, REAL,                                                                              \
      ("illegal_time", "", 0, 0, 86400, "s", "shortest part that is outside R 103; 0: any"))
FV_OPTIONS(levels_options, OPTION_LIST);

enum {
    Y_MIN,
    Y_P1,
    Y_MAX = Y_P1 + 5,
    Y_MEAN,
    U_MIN,
    U_MAX,
    V_MIN,
    V_MAX,
    Y_LOW,
    Y_HIGH,
    Y_BELOW,
    Y_ABOVE,
    ILLEGAL,
    RESERVED,
    OUTPUTS
};

#define CODE(name, help)                                                                                             \
    {                                                                                                                \
        name, "code values", 0, 65535, FV_NEITHER_IS_BETTER, false, help                                             \
    }
#define SHARE(name, help)                                                                                            \
    {                                                                                                                \
        name, "", 0, 1, FV_NEITHER_IS_BETTER, false, help                                                            \
    }
#define LIST(side, of)                                                                                               \
    CODE("y_min" side, "least luma" of), CODE("y_p1" side, "luma that 1 % of the picture does not exceed" of),       \
        CODE("y_p5" side, "luma that 5 % of the picture does not exceed" of),                                        \
        CODE("y_p50" side, "luma that half of the picture does not exceed" of),                                      \
        CODE("y_p95" side, "luma that 95 % of the picture does not exceed" of),                                      \
        CODE("y_p99" side, "luma that 99 % of the picture does not exceed" of),                                      \
        CODE("y_max" side, "greatest luma" of), CODE("y_mean" side, "mean luma" of),                                 \
        CODE("u_min" side, "least Cb" of), CODE("u_max" side, "greatest Cb" of), CODE("v_min" side, "least Cr" of),  \
        CODE("v_max" side, "greatest Cr" of), SHARE("y_low" side, "share of luma at black or below" of),             \
        SHARE("y_high" side, "share of luma at white or above" of),                                                  \
        SHARE("y_below" side, "share of luma below black" of),                                                       \
        SHARE("y_above" side, "share of luma above white" of),                                                       \
        SHARE("illegal" side, "share of pixels outside the range of EBU R 103" of),                                  \
    {                                                                                                                \
        "reserved" side, "samples", 0, INFINITY, FV_LOWER_IS_BETTER, false,                                          \
            "samples with codes that SDI reserves for synchronisation" of                                            \
    }
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const uint64_t chroma = 1u << U_MIN | 1u << U_MAX | 1u << V_MIN | 1u << V_MAX, illegal = 1u << ILLEGAL;
    uint64_t all = (1u << OUTPUTS) - 1;
    all &= fv_format_planes(&run->dis) > 1 ? all : ~chroma;
    fv_check_present(run, all);
    for (int side = 0; side < FV_CHECK_SIDES; side++)
        if (fv_check_side(run, side)->range == FV_RANGE_FULL)
            run->present &= ~(illegal << side * OUTPUTS);
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const double samples = (double)run->dis.width * run->dis.height;
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame) + side * FV_LEVELS_TERMS;
        double *value = values + side * OUTPUTS;
        value[Y_MIN] = (double)terms[FV_LEVELS_LEAST].integer;
        value[Y_MAX] = (double)terms[FV_LEVELS_MOST].integer;
        for (int i = 0; i < 5; i++)
            value[Y_P1 + i] = (double)terms[FV_LEVELS_RANKS + i].integer;
        for (int plane = 1; plane < 3; plane++) {
            value[U_MIN + 2 * (plane - 1)] = (double)terms[FV_LEVELS_LEAST + plane].integer;
            value[U_MAX + 2 * (plane - 1)] = (double)terms[FV_LEVELS_MOST + plane].integer;
        }
        value[Y_MEAN] = (double)terms[FV_LEVELS_SUM].integer / samples;
        for (int i = 0; i < 4; i++)
            value[Y_LOW + i] = (double)terms[FV_LEVELS_LOW + i].integer / samples;
        value[ILLEGAL] = (double)terms[FV_LEVELS_ILLEGAL].integer / samples;
        value[RESERVED] = (double)terms[FV_LEVELS_RESERVED].integer;
    }
    return FV_OK;
}

const FvMetric fv_metric_levels = {
    .info = {.name = "levels",
             .title = "Levels of samples",
             .citation = "EBU R 103 version 3 (2020) for legal levels",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * OUTPUTS},
    FV_METRIC_OPTIONS(levels_options, FvLevelsRule),
    .feature = &fv_feature_levels,
    .init = init,
    .score = score,
};

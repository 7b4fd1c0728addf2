/* BD-rate and BD-quality of two curves. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "arith/exact.h"
#include "base/error.h"
#include "bd/curve.h"
#include "bd/points.h"

#define LEAST_OVERLAP 0.25 /* below this share, the error of interpolation can exceed a difference of encoders */
#define GOOD_OVERLAP 0.75  /* above this share, the error of interpolation is a few tenths of a percent */
#define SAMPLES 100        /* number of samples of `pchip-aom` */

struct FvBd {
    FvBdParams params;
    FvBdResult result;
    FvBdPoints points[2];
    FvBdCurve by_quality[2], by_rate[2]; /* log(rate) as a function of quality, and quality of log(rate) */
};

static const char *const methods[] = {"pchip", "pchip-aom", "akima", "cubic"};
static const char *const refusals[] = {"accepted",   "rate",       "quality",        "not monotonic",
                                       "few points", "no overlap", "little overlap", "turns"};
static const char *const drops[] = {"infinite", "duplicate", "saturated", "equal quality", "dominated"};

const char *fv_bd_method_name(FvBdMethod method)
{
    return (unsigned)method < FV_BD_METHOD_COUNT ? methods[method] : NULL;
}

const char *fv_bd_refusal_name(FvBdRefusal refusal)
{
    return (unsigned)refusal < FV_BD_REFUSAL_COUNT ? refusals[refusal] : NULL;
}

const char *fv_bd_drop_name(FvBdDrop drop)
{
    return (unsigned)drop < sizeof drops / sizeof *drops ? drops[drop] : NULL;
}

static double logarithm(const FvBd *bd, double rate)
{
    return bd->params.method == FV_BD_PCHIP_AOM ? fv_log_exact(rate) : fv_log10_exact(rate);
}

static double power(const FvBd *bd, double difference)
{
    return bd->params.method == FV_BD_PCHIP_AOM ? fv_exp_exact(difference) : fv_pow_exact(10, difference);
}

/* The range of x that two curves share, and its part of the range that either covers. */
typedef struct Shared {
    double from, to, part;
} Shared;

static Shared shared(const FvBdCurve curve[2])
{
    const double least[2] = {curve[0].x[0], curve[1].x[0]};
    const double most[2] = {curve[0].x[curve[0].count - 1], curve[1].x[curve[1].count - 1]};
    const double from = fmax(least[0], least[1]), to = fmin(most[0], most[1]);
    return (Shared){from, to, fmax(to - from, 0) / (fmax(most[0], most[1]) - fmin(least[0], least[1]))};
}

static FvStatus draw(FvBd *bd, FvBdSide side, bool over_rate, FvError *error)
{
    FvBdCurve *curve = over_rate ? &bd->by_rate[side] : &bd->by_quality[side];
    const FvBdPoints *points = &bd->points[side];
    const bool backward = !over_rate && bd->params.better == FV_LOWER_IS_BETTER;
    FvStatus status = fv_bd_curve_open(curve, points->count, error);
    if (status)
        return status;
    for (int i = 0; i < points->count; i++) {
        const FvBdPoint *point = &points->kept[backward ? points->count - 1 - i : i];
        curve->x[i] = over_rate ? logarithm(bd, point->rate) : point->quality;
        curve->y[i] = over_rate ? point->quality : logarithm(bd, point->rate);
    }
    return fv_bd_curve_draw(curve, bd->params.method, error);
}

/* Returns the sum of SAMPLES - 1 values in eight lanes, in the order in which NumPy sums up to 128 values. */
static double lanes_sum(const double *v)
{
    double lane[8];
    int k = 0;
    for (; k < 8; k++)
        lane[k] = v[k];
    for (; k + 8 <= SAMPLES - 1; k += 8)
        for (int j = 0; j < 8; j++)
            lane[j] += v[k + j];
    double total = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; k < SAMPLES - 1; k++)
        total += v[k];
    return total;
}

static double trapezoids(const FvBdCurve *curve, const Shared *over)
{
    const double step = (over->to - over->from) / (SAMPLES - 1);
    double area[SAMPLES - 1], before = fv_bd_curve_value(curve, over->from);
    for (int k = 1; k < SAMPLES; k++) {
        const double at = k < SAMPLES - 1 ? k * step + over->from : over->to;
        const double value = fv_bd_curve_value(curve, at);
        area[k - 1] = step * (value + before) / 2;
        before = value;
    }
    return lanes_sum(area);
}

static double mean_difference(const FvBd *bd, const FvBdCurve curve[2], const Shared *over)
{
    double area[2];
    for (int side = 0; side < 2; side++)
        area[side] = bd->params.method == FV_BD_PCHIP_AOM ? trapezoids(&curve[side], over)
                                                          : fv_bd_curve_integral(&curve[side], over->from, over->to);
    return (area[FV_BD_TEST] - area[FV_BD_ANCHOR]) / (over->to - over->from);
}

static bool turns(const FvBdCurve curve[2], const Shared *over)
{
    return fv_bd_curve_turns(&curve[0], over->from, over->to) || fv_bd_curve_turns(&curve[1], over->from, over->to);
}

static bool is_enough(const FvBd *bd, double part)
{
    return part > 0 && (part >= LEAST_OVERLAP || bd->params.allow_little_overlap);
}

/* Records why the pair of curves is refused. */
__attribute__((format(printf, 3, 4))) static void refuse(FvBd *bd, FvBdRefusal refusal, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(bd->result.reason, sizeof bd->result.reason, format, arguments);
    va_end(arguments);
    bd->result.refusal = refusal;
}

static FvStatus compare_rates(FvBd *bd, FvError *error)
{
    FvStatus status = draw(bd, FV_BD_ANCHOR, false, error);
    if (!status)
        status = draw(bd, FV_BD_TEST, false, error);
    if (status)
        return status;
    const FvBdCurve *curve = bd->by_quality;
    const Shared over = shared(curve);
    FvBdResult *result = &bd->result;
    result->overlap = over.part;
    if (over.part == 0) {
        refuse(bd, FV_BD_NO_OVERLAP, "the qualities of the anchor are %g to %g and those of the test %g to %g",
               curve[0].x[0], curve[0].x[curve[0].count - 1], curve[1].x[0], curve[1].x[curve[1].count - 1]);
        return FV_OK;
    }
    if (!is_enough(bd, over.part)) {
        refuse(bd, FV_BD_LITTLE_OVERLAP, "the curves share %.1f %% of their qualities, less than %.0f %%",
               100 * over.part, 100 * LEAST_OVERLAP);
        return FV_OK;
    }
    const bool turned = bd->params.method >= FV_BD_AKIMA && turns(curve, &over);
    if (turned && bd->params.method == FV_BD_CUBIC) {
        refuse(bd, FV_BD_TURNS, "the polynomial turns back between the qualities %g and %g; pchip does not",
               over.from, over.to);
        return FV_OK;
    }
    result->from = over.from;
    result->to = over.to;
    result->few_shared = over.part < GOOD_OVERLAP;
    result->turns = turned;
    result->bd_rate = (power(bd, mean_difference(bd, curve, &over)) - 1) * 100;
    return FV_OK;
}

static FvStatus compare_qualities(FvBd *bd, FvError *error)
{
    FvStatus status = draw(bd, FV_BD_ANCHOR, true, error);
    if (!status)
        status = draw(bd, FV_BD_TEST, true, error);
    if (status)
        return status;
    const Shared over = shared(bd->by_rate);
    bd->result.rate_overlap = over.part;
    if (is_enough(bd, over.part) && !(bd->params.method == FV_BD_CUBIC && turns(bd->by_rate, &over)))
        bd->result.bd_quality = mean_difference(bd, bd->by_rate, &over);
    return FV_OK;
}

static FvStatus compare_curves(FvBd *bd, const FvBdPoint *const given[2], const int count[2], FvError *error)
{
    FvBdResult *result = &bd->result;
    for (int side = 0; side < 2; side++) {
        static const char *const name[] = {"anchor", "test"};
        char reason[200];
        FvBdRefusal refusal;
        FvStatus status = fv_bd_points_open(&bd->points[side], given[side], count[side], &bd->params, &refusal,
                                            reason, sizeof reason, error);
        if (status)
            return status;
        if (refusal) {
            refuse(bd, refusal, "%s: %s", name[side], reason);
            return FV_OK;
        }
    }
    FvStatus status = compare_rates(bd, error);
    return status || result->refusal ? status : compare_qualities(bd, error);
}

FvStatus fv_bd_open(FvBd **bd, const FvBdPoint *anchor, int anchor_count, const FvBdPoint *test, int test_count,
                    const FvBdParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, bd);
    *bd = NULL;
    FV_REQUIRE(error, anchor);
    FV_REQUIRE(error, test);
    FV_REQUIRE(error, params);
    if (anchor_count < 1 || test_count < 1 || anchor_count > 1 << 20 || test_count > 1 << 20)
        return fv_fail(error, FV_ERROR_USAGE, "curves have 1 to 1048576 points, and these have %d and %d",
                       anchor_count, test_count);
    if (!fv_bd_method_name(params->method))
        return fv_fail(error, FV_ERROR_USAGE, "%d is not a method of BD-rate", (int)params->method);
    if (params->better != FV_HIGHER_IS_BETTER && params->better != FV_LOWER_IS_BETTER)
        return fv_fail(error, FV_ERROR_USAGE, "BD-rate needs a score of which higher or lower values are better");
    if (params->least_points < 0 || params->least_points == 1)
        return fv_fail(error, FV_ERROR_USAGE, "a curve needs at least 2 points; least_points is %d",
                       params->least_points);
    FvBd *made = calloc(1, sizeof *made);
    if (!made)
        return fv_fail_memory(error, sizeof *made);
    made->params = *params;
    made->result =
        (FvBdResult){.bd_rate = NAN, .bd_quality = NAN, .overlap = NAN, .rate_overlap = NAN, .from = NAN, .to = NAN};
    FvStatus status =
        compare_curves(made, (const FvBdPoint *const[2]){anchor, test}, (int[2]){anchor_count, test_count}, error);
    if (status)
        fv_bd_close(&made);
    *bd = made;
    return status;
}

void fv_bd_close(FvBd **bd)
{
    if (!bd || !*bd)
        return;
    for (int side = 0; side < 2; side++) {
        fv_bd_points_close(&(*bd)->points[side]);
        fv_bd_curve_close(&(*bd)->by_quality[side]);
        fv_bd_curve_close(&(*bd)->by_rate[side]);
    }
    free(*bd);
    *bd = NULL;
}

const FvBdResult *fv_bd_result(const FvBd *bd)
{
    return bd ? &bd->result : NULL;
}

static bool is_side(const FvBd *bd, FvBdSide side)
{
    return bd && (side == FV_BD_ANCHOR || side == FV_BD_TEST);
}

int fv_bd_points(const FvBd *bd, FvBdSide side, const FvBdPoint **points)
{
    if (!is_side(bd, side) || !points)
        return 0;
    *points = bd->points[side].kept;
    return bd->points[side].count;
}

int fv_bd_dropped(const FvBd *bd, FvBdSide side, const FvBdDropped **dropped)
{
    if (!is_side(bd, side) || !dropped)
        return 0;
    *dropped = bd->points[side].dropped;
    return bd->points[side].dropped_count;
}

static bool is_compared(const FvBd *bd, double quality)
{
    return bd && !bd->result.refusal && quality >= bd->result.from && quality <= bd->result.to;
}

double fv_bd_rate_at(const FvBd *bd, FvBdSide side, double quality)
{
    FV_FLOAT_MODE;
    return is_side(bd, side) && is_compared(bd, quality)
               ? power(bd, fv_bd_curve_value(&bd->by_quality[side], quality))
               : NAN;
}

double fv_bd_difference(const FvBd *bd, double quality)
{
    FV_FLOAT_MODE;
    if (!is_compared(bd, quality))
        return NAN;
    const FvBdCurve *curve = bd->by_quality;
    return 100 * (power(bd, fv_bd_curve_value(&curve[FV_BD_TEST], quality) -
                                fv_bd_curve_value(&curve[FV_BD_ANCHOR], quality)) -
                  1);
}

/* Curves, ladders and correlations. */
#include "misuse.h"

#include <math.h>

static bool refuses_curves(const FvBdPoint *anchor, int count, FvBdParams params)
{
    FvBd *bd = (FvBd *)&bd;
    return usage(fv_bd_open(&bd, anchor, count, anchor, count, &params, &error)) && !bd;
}

/* Points that make no curve lead to a result with a refusal, not to an error. */
static bool tells_refusal(FvBdPoint point, FvBdRefusal expected)
{
    const FvBdPoint points[4] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, point};
    FvBd *bd = NULL;
    const bool told = !fv_bd_open(&bd, points, 4, points, 4, &(FvBdParams){0}, &error) &&
                      fv_bd_result(bd)->refusal == expected && isnan(fv_bd_difference(bd, 2)) &&
                      isnan(fv_bd_rate_at(bd, FV_BD_TEST, 2));
    fv_bd_close(&bd);
    return told && !bd;
}

void check_curves(void)
{
    static const FvBdPoint points[4] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 0}};
    FvBd *bd = NULL;
    FvBdPoint *hull = NULL;
    int count = 0;
    CHECK(fv_bd_open, usage(fv_bd_open(NULL, points, 4, points, 4, &(FvBdParams){0}, &error)));
    CHECK(fv_bd_open, refuses_curves(NULL, 4, (FvBdParams){0}));
    CHECK(fv_bd_open, usage(fv_bd_open(&bd, points, 4, NULL, 4, &(FvBdParams){0}, &error)) && !bd);
    CHECK(fv_bd_open, usage(fv_bd_open(&bd, points, 4, points, 4, NULL, &error)) && !bd);
    CHECK(fv_bd_open, refuses_curves(points, 0, (FvBdParams){0}));
    CHECK(fv_bd_open, refuses_curves(points, 4, (FvBdParams){.method = (FvBdMethod)WRONG}));
    CHECK(fv_bd_open, refuses_curves(points, 4, (FvBdParams){.better = FV_NEITHER_IS_BETTER}));
    CHECK(fv_bd_open, refuses_curves(points, 4, (FvBdParams){.least_points = 1}));
    CHECK(fv_bd_open, tells_refusal((FvBdPoint){-4, 4, 0}, FV_BD_RATE));
    CHECK(fv_bd_open, tells_refusal((FvBdPoint){4, NAN, 0}, FV_BD_QUALITY));
    CHECK(fv_bd_close, (fv_bd_close(NULL), fv_bd_close(&(FvBd *){NULL}), true));
    CHECK(fv_bd_result, !fv_bd_result(NULL));
    CHECK(fv_bd_points, !fv_bd_points(NULL, FV_BD_TEST, &(const FvBdPoint *){NULL}));
    CHECK(fv_bd_dropped, !fv_bd_dropped(NULL, FV_BD_TEST, &(const FvBdDropped *){NULL}));
    CHECK(fv_bd_rate_at, isnan(fv_bd_rate_at(NULL, FV_BD_TEST, 1)));
    CHECK(fv_bd_difference, isnan(fv_bd_difference(NULL, 1)));
    CHECK(fv_bd_method_name, !fv_bd_method_name((FvBdMethod)WRONG) && !fv_bd_method_name((FvBdMethod)-1));
    CHECK(fv_bd_refusal_name, !fv_bd_refusal_name((FvBdRefusal)WRONG));
    CHECK(fv_bd_drop_name, !fv_bd_drop_name((FvBdDrop)WRONG));
    CHECK(fv_bd_hull, usage(fv_bd_hull(NULL, 4, FV_HIGHER_IS_BETTER, &hull, &count, &error)) && !hull);
    CHECK(fv_bd_hull, usage(fv_bd_hull(points, 0, FV_HIGHER_IS_BETTER, &hull, &count, &error)) && !hull);
    CHECK(fv_bd_hull, usage(fv_bd_hull(points, 4, FV_NEITHER_IS_BETTER, &hull, &count, &error)) && !hull);
    CHECK(fv_bd_hull,
          fv_bd_hull(&(FvBdPoint){0, 1, 0}, 1, FV_HIGHER_IS_BETTER, &hull, &count, &error) == FV_ERROR_INPUT &&
              !hull);
    CHECK(fv_bd_free_hull, (fv_bd_free_hull(NULL), fv_bd_free_hull(&(FvBdPoint *){NULL}), true));
}

static bool refuses_ladder(const FvLadderEncode *encodes, int count, FvLadderParams params)
{
    FvLadder *ladder = (FvLadder *)&ladder;
    return usage(fv_ladder_open(&ladder, encodes, count, &params, &error)) && !ladder;
}

void check_ladders(void)
{
    static const FvLadderEncode one = {.name = "a", .rate = 1, .quality = 1, .mean = 1, .whole = true};
    const FvLadderParams params = {.meaning = fv_meaning("vmaf")};
    FvLadder *ladder = NULL;
    FvBdResult result;
    CHECK(fv_ladder_open, usage(fv_ladder_open(NULL, &one, 1, &params, &error)));
    CHECK(fv_ladder_open, refuses_ladder(NULL, 1, params));
    CHECK(fv_ladder_open, usage(fv_ladder_open(&ladder, &one, 1, NULL, &error)) && !ladder);
    CHECK(fv_ladder_open, refuses_ladder(&one, 0, params));
    CHECK(fv_ladder_open, refuses_ladder(&one, 1, (FvLadderParams){.better = FV_HIGHER_IS_BETTER}));
    CHECK(fv_ladder_open,
          refuses_ladder(&one, 1, (FvLadderParams){.meaning = params.meaning, .better = FV_NEITHER_IS_BETTER}));
    CHECK(fv_ladder_open, refuses_ladder(&one, 1, (FvLadderParams){.meaning = params.meaning, .gates = -1}));
    CHECK(fv_ladder_open, refuses_ladder(&(FvLadderEncode){.rate = 1}, 1, params));
    CHECK(fv_ladder_open, refuses_ladder(&(FvLadderEncode){.name = "a"}, 1, params));
    CHECK(fv_ladder_close, (fv_ladder_close(NULL), fv_ladder_close(&(FvLadder *){NULL}), true));
    CHECK(fv_ladder_pick, !fv_ladder_pick(NULL));
    CHECK(fv_ladder_place, !fv_ladder_place(NULL, 0));
    CHECK(fv_ladder_groups, !fv_ladder_groups(NULL));
    CHECK(fv_ladder_group, !fv_ladder_group(NULL, 0));
    CHECK(fv_ladder_bd, usage(fv_ladder_bd(NULL, 0, 1, &result, &error)));
    CHECK(fv_pick_kind_name, !fv_pick_kind_name((FvPickKind)WRONG));
}

static bool refuses_votes(FvCorrelateVotes votes, int scores, FvBetter better, FvCorrelateParams params,
                          FvStatus expected)
{
    const FvCorrelateScore score = {votes.vote, better};
    FvCorrelation *correlation = (FvCorrelation *)&correlation;
    return fv_correlate_open(&correlation, &votes, &score, scores, &params, &error) == expected && !correlation;
}

void check_correlations(void)
{
    static const double vote[6] = {1, 2, 3, 4, 5, 7}, flat[6] = {1, 1, 1, 1, 1, 1}, wrong[6] = {1, 2, 3, 4, 5, NAN};
    static const double half[6] = {1, 1, 1, 1, 1, -1};
    const FvCorrelateVotes votes = {.count = 6, .vote = vote};
    const FvCorrelateScore score = {vote, FV_HIGHER_IS_BETTER};
    const FvCorrelateParams params = {.draws = 10};
    const FvBetter higher = FV_HIGHER_IS_BETTER;
    FvCorrelation *c = NULL;
    CHECK(fv_curve_name, !fv_curve_name((FvCurve)WRONG) && !fv_curve_name((FvCurve)-1));
    CHECK(fv_correlate_open, usage(fv_correlate_open(NULL, &votes, &score, 1, &params, &error)));
    CHECK(fv_correlate_open, usage(fv_correlate_open(&c, NULL, &score, 1, &params, &error)) && !c);
    CHECK(fv_correlate_open, usage(fv_correlate_open(&c, &votes, NULL, 1, &params, &error)) && !c);
    CHECK(fv_correlate_open, usage(fv_correlate_open(&c, &votes, &score, 1, NULL, &error)) && !c);
    CHECK(fv_correlate_open, refuses_votes((FvCorrelateVotes){.count = 6}, 1, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open,
          refuses_votes((FvCorrelateVotes){.count = 5, .vote = vote}, 1, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 0, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 257, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 1, (FvBetter)WRONG, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open,
          refuses_votes(votes, 1, higher, (FvCorrelateParams){.curve = (FvCurve)WRONG}, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 1, higher, (FvCorrelateParams){.draws = -1}, FV_ERROR_USAGE));
    CHECK(fv_correlate_open,
          refuses_votes((FvCorrelateVotes){.count = 6, .vote = flat}, 1, higher, params, FV_ERROR_INPUT));
    CHECK(fv_correlate_open,
          refuses_votes((FvCorrelateVotes){.count = 6, .vote = wrong}, 1, higher, params, FV_ERROR_INPUT));
    CHECK(fv_correlate_open, refuses_votes((FvCorrelateVotes){.count = 6, .vote = vote, .half = half}, 1, higher,
                                           params, FV_ERROR_INPUT));
    CHECK(fv_correlate_close, (fv_correlate_close(NULL), fv_correlate_close(&(FvCorrelation *){NULL}), true));
    CHECK(fv_correlate_open, !fv_correlate_open(&c, &votes, &score, 1, &params, &error) && c);
    CHECK(fv_correlate_result,
          !fv_correlate_result(NULL, 0) && !fv_correlate_result(c, 1) && !fv_correlate_result(c, -1));
    CHECK(fv_correlate_predictions, !fv_correlate_predictions(NULL, 0) && !fv_correlate_predictions(c, 1));
    CHECK(fv_correlate_curve_at, isnan(fv_correlate_curve_at(NULL, 0, 1)) && isnan(fv_correlate_curve_at(c, 1, 1)));
    CHECK(fv_correlate_differences, !fv_correlate_differences(NULL) && !fv_correlate_differences(c));
    CHECK(fv_correlate_difference, !fv_correlate_difference(NULL, 0) && !fv_correlate_difference(c, 0));
    fv_correlate_close(&c);
}

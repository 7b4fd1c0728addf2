/* Computes how well scores agree with votes. */
#include "fovea/correlate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "correlate/fit.h"
#include "correlate/statistics.h"

#define LEAST_STIMULI 6
#define MOST_STIMULI 20000
#define MOST_SCORES 256
#define MOST_DRAWS 100000
#define LEAST_OF_CONTENT 4

/* The statistics that are computed for each draw. */
enum { SROCC, PLCC, RMSE, DRAWN };

typedef struct Score {
    FvCorrelateResult result;
    FvFit fit;
    double *predictions;
    double *drawn[DRAWN]; /* values of each statistic, one per draw */
} Score;

struct FvCorrelation {
    int count, score_count, difference_count;
    Score *score;
    FvCorrelateDifference *difference;
};

static const char *const curves[] = {"logistic4", "logistic5", "linear", "none"};

const char *fv_curve_name(FvCurve curve)
{
    return (unsigned)curve < FV_CURVE_COUNT ? curves[curve] : NULL;
}

/* Working memory of a call. */
typedef struct Work {
    const FvCorrelateVotes *votes;
    const FvCorrelateScore *scores;
    const FvCorrelateParams *params;
    FvError *error;
    double *list[4];
    double *ranks; /* ranks of the votes */
    int *order, *pick;
} Work;

static double rank_correlation(const Work *work, const double *a, const double *b, int count)
{
    fv_stat_ranks(a, count, work->list[0], work->order);
    fv_stat_ranks(b, count, work->list[1], work->order);
    return fv_stat_pearson(work->list[0], work->list[1], count);
}

/* ---- One score ------------------------------------------------------------------------------------------------- */

/* Computes the errors of the predictions in the votes' unit, and by how much they exceed the votes' intervals. */
static void count_errors(const Work *work, Score *score)
{
    const FvCorrelateVotes *votes = work->votes;
    FvCorrelateResult *result = &score->result;
    const int n = votes->count, lost = work->params->curve == FV_CURVE_NONE ? 1 : result->parameters;
    double *error = work->list[0];
    for (int i = 0; i < n; i++)
        error[i] = votes->vote[i] - score->predictions[i];
    result->rmse = fv_stat_rms(error, n, n);
    result->rmse_p1401 = fv_stat_rms(error, n, n - lost);
    if (!votes->half)
        return;
    int outside = 0;
    for (int i = 0; i < n; i++) {
        outside += fabs(error[i]) > votes->half[i];
        error[i] = fmax(0, fabs(error[i]) - votes->half[i]);
    }
    result->rmse_star = fv_stat_rms(error, n, n - lost);
    result->outlier_ratio = (double)outside / n;
}

/* Analyses how scores tell pairs of stimuli apart, as Krasula, Fliegel, Le Callet and Klima do (QoMEX 2016). */
static FvStatus analyse_pairs(const Work *work, const double *x, FvCorrelateResult *result)
{
    const FvCorrelateVotes *votes = work->votes;
    const int n = votes->count;
    const int64_t pairs = (int64_t)n * (n - 1) / 2;
    double *memory = votes->half ? calloc((size_t)pairs, 3 * sizeof *memory) : NULL;
    if (!votes->half)
        return FV_OK;
    if (!memory)
        return fv_fail_memory(work->error, (size_t)pairs * 3 * sizeof *memory);
    double *apart = memory, *better = memory + pairs, *close = memory + 2 * pairs;
    int64_t right = 0;
    const double sign = result->higher_is_better ? 1 : -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double limit = sqrt(votes->half[i] * votes->half[i] + votes->half[j] * votes->half[j]);
            const double dy = votes->vote[i] - votes->vote[j], dx = x[i] * sign - x[j] * sign;
            if (fabs(dy) > limit) {
                apart[result->different] = fabs(dx);
                better[result->different++] = dy > 0 ? dx : -dx;
                right += dy > 0 ? dx > 0 : dx < 0;
            } else
                close[result->similar++] = fabs(dx);
        }
    fv_stat_sort(apart, result->different);
    fv_stat_sort(close, result->similar);
    result->auc_different_similar = fv_stat_auc(apart, result->different, close, result->similar);
    result->threshold_95 = fv_stat_percentile(close, result->similar, 0.95);
    fv_stat_sort(better, result->different);
    for (int64_t i = 0; i < result->different; i++) /* reuses `apart` for the differences with the opposite sign */
        apart[i] = -better[result->different - 1 - i];
    result->auc_better_worse = fv_stat_auc(better, result->different, apart, result->different);
    if (result->different)
        result->correct = (double)right / (double)result->different;
    free(memory);
    return FV_OK;
}

/*
 * Computes the rank correlation within each content that has enough stimuli. Contents are ordered by their first
 * stimulus.
 */
static void analyse_contents(const Work *work, const double *x, FvCorrelateResult *result)
{
    const FvCorrelateVotes *votes = work->votes;
    double sum = 0, least = INFINITY;
    for (int first = 0; votes->contents && first < votes->count; first++) {
        int members = 0;
        bool begins = true;
        for (int i = 0; i < first && begins; i++)
            begins = votes->contents[i] != votes->contents[first];
        for (int i = first; i < votes->count && begins; i++)
            if (votes->contents[i] == votes->contents[first]) {
                work->list[2][members] = x[i];
                work->list[3][members++] = votes->vote[i];
            }
        const double srocc =
            members < LEAST_OF_CONTENT ? NAN : rank_correlation(work, work->list[2], work->list[3], members);
        if (isnan(srocc))
            continue;
        result->contents++;
        sum += srocc;
        least = fmin(least, srocc);
    }
    if (result->contents) {
        result->srocc_content_mean = sum / result->contents;
        result->srocc_content_least = least;
    }
}

static FvStatus analyse(const Work *work, Score *score, int place)
{
    const FvCorrelateVotes *votes = work->votes;
    const FvCorrelateScore *given = &work->scores[place];
    FvCorrelateResult *result = &score->result;
    const int n = votes->count;
    const FvInterval none = {NAN, NAN};
    *result = (FvCorrelateResult){.rmse_star = NAN,
                                  .outlier_ratio = NAN,
                                  .plcc_fisher = none,
                                  .srocc_drawn = none,
                                  .plcc_drawn = none,
                                  .rmse_drawn = none,
                                  .auc_different_similar = NAN,
                                  .auc_better_worse = NAN,
                                  .correct = NAN,
                                  .threshold_95 = NAN,
                                  .srocc_content_mean = NAN,
                                  .srocc_content_least = NAN};
    result->srocc = rank_correlation(work, given->value, votes->vote, n);
    if (isnan(result->srocc))
        return fv_fail(work->error, FV_ERROR_INPUT, "no spread: score %d has one value for all stimuli", place + 1);
    result->from_data = given->better == FV_NEITHER_IS_BETTER;
    result->higher_is_better = result->from_data ? result->srocc >= 0 : given->better == FV_HIGHER_IS_BETTER;
    FvStatus status = fv_fit(&score->fit, work->params->curve, given->value, votes->vote, n, score->predictions,
                             result, work->error);
    if (status)
        return status;
    result->krocc = fv_stat_kendall(given->value, votes->vote, n);
    result->plcc_raw = fv_stat_pearson(given->value, votes->vote, n);
    result->plcc = fv_stat_pearson(score->predictions, votes->vote, n);
    const double z = fv_stat_fisher(result->plcc), width = FV_Z95 / sqrt(n - 3);
    if (!isnan(z))
        result->plcc_fisher =
            (FvInterval){1 - 2 / (fv_stat_exp(2 * (z - width)) + 1), 1 - 2 / (fv_stat_exp(2 * (z + width)) + 1)};
    count_errors(work, score);
    analyse_contents(work, given->value, result);
    return analyse_pairs(work, given->value, result);
}

/* ---- Draws ----------------------------------------------------------------------------------------------------- */

/* Returns the 95 % interval of the values that are not NaN. Reorders `values`. */
static FvInterval interval(double *values, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[kept++] = values[i];
    fv_stat_sort(values, kept);
    return (FvInterval){fv_stat_percentile(values, kept, 0.025), fv_stat_percentile(values, kept, 0.975)};
}

/* Draws stimuli with replacement. All scores get the same stimuli, so that scores can be compared within a draw. */
static void draw(FvCorrelation *correlation, const Work *work)
{
    const int n = correlation->count;
    double *votes = work->list[2], *list = work->list[3], *ranks = work->list[0];
    uint64_t state = work->params->seed;
    for (int d = 0; d < work->params->draws; d++) {
        for (int i = 0; i < n; i++) {
            work->pick[i] = fv_stat_draw(&state, n);
            votes[i] = work->votes->vote[work->pick[i]];
        }
        fv_stat_ranks(votes, n, work->ranks, work->order);
        for (int s = 0; s < correlation->score_count; s++) {
            Score *score = &correlation->score[s];
            for (int i = 0; i < n; i++)
                list[i] = work->scores[s].value[work->pick[i]];
            fv_stat_ranks(list, n, ranks, work->order);
            score->drawn[SROCC][d] = fv_stat_pearson(ranks, work->ranks, n);
            for (int i = 0; i < n; i++)
                list[i] = score->predictions[work->pick[i]];
            score->drawn[PLCC][d] = fv_stat_pearson(list, votes, n);
            for (int i = 0; i < n; i++)
                list[i] = votes[i] - list[i];
            score->drawn[RMSE][d] = fv_stat_rms(list, n, n);
        }
    }
}

/* ---- Between scores -------------------------------------------------------------------------------------------- */

static void test_difference(const FvCorrelation *correlation, FvCorrelateDifference *difference)
{
    const Score *a = &correlation->score[difference->a], *b = &correlation->score[difference->b];
    const double r1 = a->result.plcc, r2 = b->result.plcc;
    const double r12 = fv_stat_pearson(a->predictions, b->predictions, correlation->count);
    if (!(fabs(r1) < 1 && fabs(r2) < 1 && r12 < 1))
        return;
    const int left = correlation->count - 3;
    const double apart = fv_stat_fisher(r1) - fv_stat_fisher(r2);
    const double mean = (r1 * r1 + r2 * r2) / 2;
    const double f = fmin((1 - r12) / (2 * (1 - mean)), 1);
    const double h = (1 - f * mean) / (1 - mean);
    difference->meng_z = apart * sqrt(left / (2 * (1 - r12) * h));
    difference->meng_p = fv_stat_erfc(fabs(difference->meng_z) * 0.7071067811865476);
    difference->p1401_z = apart / sqrt(2.0 / left);
}

/* Computes the intervals of a minus b over the draws. `values` is working memory for `draws` numbers. */
static void draw_difference(const FvCorrelation *correlation, FvCorrelateDifference *difference, int draws,
                            double *values)
{
    const Score *a = &correlation->score[difference->a], *b = &correlation->score[difference->b];
    FvInterval *const to[DRAWN] = {&difference->srocc, &difference->plcc, &difference->rmse};
    for (int k = 0; k < DRAWN; k++) {
        const double sign[2] = {k == SROCC && !a->result.higher_is_better ? -1 : 1,
                                k == SROCC && !b->result.higher_is_better ? -1 : 1};
        for (int d = 0; d < draws; d++)
            values[d] = a->drawn[k][d] * sign[0] - b->drawn[k][d] * sign[1];
        *to[k] = interval(values, draws);
    }
}

static FvStatus compare_scores(FvCorrelation *correlation, const Work *work)
{
    const int draws = work->params->draws;
    double *values = calloc((size_t)draws + 1, sizeof *values);
    if (!values)
        return fv_fail_memory(work->error, ((size_t)draws + 1) * sizeof *values);
    for (int a = 0; a < correlation->score_count; a++)
        for (int b = a + 1; b < correlation->score_count; b++) {
            FvCorrelateDifference *difference = &correlation->difference[correlation->difference_count++];
            const FvInterval none = {NAN, NAN};
            *difference = (FvCorrelateDifference){a, b, NAN, NAN, NAN, none, none, none};
            test_difference(correlation, difference);
            if (draws)
                draw_difference(correlation, difference, draws, values);
        }
    for (int s = 0; s < correlation->score_count && draws; s++) { /* last, because interval() reorders the draws */
        Score *score = &correlation->score[s];
        score->result.srocc_drawn = interval(score->drawn[SROCC], draws);
        score->result.plcc_drawn = interval(score->drawn[PLCC], draws);
        score->result.rmse_drawn = interval(score->drawn[RMSE], draws);
    }
    free(values);
    return FV_OK;
}

/* ---- The interface --------------------------------------------------------------------------------------------- */

static FvStatus check_params(const Work *work, int score_count)
{
    const FvCorrelateVotes *votes = work->votes;
    FvError *error = work->error;
    if (votes->count < LEAST_STIMULI || votes->count > MOST_STIMULI)
        return fv_fail(error, FV_ERROR_USAGE, "a correlation takes %d to %d stimuli, not %d", LEAST_STIMULI,
                       MOST_STIMULI, votes->count);
    if (score_count < 1 || score_count > MOST_SCORES)
        return fv_fail(error, FV_ERROR_USAGE, "a correlation takes 1 to %d scores, not %d", MOST_SCORES, score_count);
    if (!fv_curve_name(work->params->curve))
        return fv_fail(error, FV_ERROR_USAGE, "%d is not a curve of a correlation", (int)work->params->curve);
    if (work->params->draws < 0 || work->params->draws > MOST_DRAWS)
        return fv_fail(error, FV_ERROR_USAGE, "a correlation takes 0 to %d draws, not %d", MOST_DRAWS,
                       work->params->draws);
    bool spread = false;
    for (int i = 0; i < votes->count; i++) {
        if (!isfinite(votes->vote[i]) || (votes->half && !(isfinite(votes->half[i]) && votes->half[i] >= 0)))
            return fv_fail(error, FV_ERROR_INPUT, "vote %d has a value or an interval that is not finite", i + 1);
        spread |= votes->vote[i] != votes->vote[0];
    }
    if (!spread)
        return fv_fail(error, FV_ERROR_INPUT, "no spread: all stimuli have the same vote");
    for (int s = 0; s < score_count; s++) {
        if (!work->scores[s].value || !fv_better_name(work->scores[s].better))
            return fv_fail(error, FV_ERROR_USAGE, "score %d has no values, or an unknown direction", s + 1);
        for (int i = 0; i < votes->count; i++)
            if (!isfinite(work->scores[s].value[i]))
                return fv_fail(error, FV_ERROR_INPUT, "value %d of score %d is not finite", i + 1, s + 1);
    }
    return FV_OK;
}

static FvStatus make_correlation(FvCorrelation *correlation, Work *work)
{
    const size_t n = (size_t)correlation->count, scores = (size_t)correlation->score_count;
    const size_t draws = (size_t)work->params->draws;
    bool all = true;
    correlation->score = calloc(scores, sizeof *correlation->score);
    correlation->difference = calloc(scores * (scores - 1) / 2 + 1, sizeof *correlation->difference);
    work->ranks = calloc(n, sizeof *work->ranks);
    work->order = calloc(n, sizeof *work->order);
    work->pick = calloc(n, sizeof *work->pick);
    all = correlation->score && correlation->difference && work->ranks && work->order && work->pick;
    for (int i = 0; i < 4; i++)
        all &= (work->list[i] = calloc(n, sizeof *work->list[i])) != NULL;
    for (size_t s = 0; s < scores && all; s++) {
        all = (correlation->score[s].predictions = calloc(n, sizeof(double))) != NULL;
        for (int k = 0; k < DRAWN && all; k++)
            all = (correlation->score[s].drawn[k] = calloc(draws + 1, sizeof(double))) != NULL;
    }
    FvStatus status = all ? FV_OK : fv_fail_memory(work->error, scores * (n + DRAWN * draws) * sizeof(double));
    for (int s = 0; s < correlation->score_count && !status; s++)
        status = analyse(work, &correlation->score[s], s);
    if (!status)
        draw(correlation, work);
    if (!status)
        status = compare_scores(correlation, work);
    for (int i = 0; i < 4; i++)
        free(work->list[i]);
    free(work->ranks);
    free(work->order);
    free(work->pick);
    return status;
}

FvStatus fv_correlate_open(FvCorrelation **correlation, const FvCorrelateVotes *votes, const FvCorrelateScore *scores,
                           int score_count, const FvCorrelateParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, correlation);
    *correlation = NULL;
    FV_REQUIRE(error, votes);
    FV_REQUIRE(error, votes->vote);
    FV_REQUIRE(error, scores);
    FV_REQUIRE(error, params);
    Work work = {.votes = votes, .scores = scores, .params = params, .error = error};
    FvStatus status = check_params(&work, score_count);
    if (status)
        return status;
    FvCorrelation *made = calloc(1, sizeof *made);
    if (!made)
        return fv_fail_memory(error, sizeof *made);
    made->count = votes->count;
    made->score_count = score_count;
    status = make_correlation(made, &work);
    if (status)
        fv_correlate_close(&made);
    *correlation = made;
    return status;
}

void fv_correlate_close(FvCorrelation **correlation)
{
    if (!correlation || !*correlation)
        return;
    for (int s = 0; s < (*correlation)->score_count && (*correlation)->score; s++) {
        free((*correlation)->score[s].predictions);
        for (int k = 0; k < DRAWN; k++)
            free((*correlation)->score[s].drawn[k]);
    }
    free((*correlation)->score);
    free((*correlation)->difference);
    free(*correlation);
    *correlation = NULL;
}

static const Score *score_of(const FvCorrelation *correlation, int score)
{
    return correlation && score >= 0 && score < correlation->score_count ? &correlation->score[score] : NULL;
}

const FvCorrelateResult *fv_correlate_result(const FvCorrelation *correlation, int score)
{
    const Score *found = score_of(correlation, score);
    return found ? &found->result : NULL;
}

const double *fv_correlate_predictions(const FvCorrelation *correlation, int score)
{
    const Score *found = score_of(correlation, score);
    return found ? found->predictions : NULL;
}

double fv_correlate_curve_at(const FvCorrelation *correlation, int score, double value)
{
    FV_FLOAT_MODE;
    const Score *found = score_of(correlation, score);
    return found ? fv_fit_at(&found->fit, value) : NAN;
}

int fv_correlate_differences(const FvCorrelation *correlation)
{
    return correlation ? correlation->difference_count : 0;
}

const FvCorrelateDifference *fv_correlate_difference(const FvCorrelation *correlation, int i)
{
    return i >= 0 && i < fv_correlate_differences(correlation) ? &correlation->difference[i] : NULL;
}

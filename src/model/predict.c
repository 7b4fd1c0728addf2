/* Computes scores from features. docs/metrics/vmaf.md states the order of every sum. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/exp.h"
#include "model/weights.h"
#include "order.h"

const FvModel *fv_model_find(const char *name)
{
    for (int i = 0; i < fv_model_figures_count; i++)
        if (!strcmp(fv_model_figures[i].name, name))
            return &fv_model_figures[i];
    return NULL;
}

const FvModel *fv_model_at(int i)
{
    return i >= 0 && i < fv_model_figures_count ? &fv_model_figures[i] : NULL;
}

int fv_model_values(const FvModel *model)
{
    if (!model)
        return 0;
    return model->member_count == 1 ? 1 : model->member_count + FV_MODEL_SPREADS;
}

/* Scratch memory: a kernel value for each vector, then a score for each member. */
size_t fv_model_scratch(const FvModel *model)
{
    return (size_t)model->vector_count + (size_t)model->member_count;
}

static int column_of(const FvModel *model, const char *words)
{
    for (int i = 0; i < model->feature_count; i++)
        if (strstr(model->feature[i].name, words))
            return i;
    return -1;
}

/*
 * Replaces a chroma feature of 0 by the loss in luma: 0 means that chroma was not changed, and would hide any other
 * loss.
 */
static void correct_chroma(const FvModel *model, const FvModelMember *member, double *x)
{
    int chroma = column_of(model, "speed_chroma"), adm = column_of(model, "adm3");
    if (member->chroma == 0 || chroma < 0 || adm < 0)
        return;
    const double *slope = member->slope, *intercept = member->intercept;
    double seen = x[chroma], loss = x[adm];
    if (member->rescale) {
        seen = (seen - intercept[chroma + 1]) / slope[chroma + 1];
        loss = (loss - intercept[adm + 1]) / slope[adm + 1];
    }
    if (seen != 0)
        return;
    double penalty = -member->chroma * loss + member->chroma;
    x[chroma] = member->rescale ? slope[chroma + 1] * penalty + intercept[chroma + 1] : penalty;
}

static double kernel_of(const FvModel *model, double gamma, const double *x, const double *vector)
{
    double sum = 0;
    for (int i = 0; i < model->feature_count; i++) {
        double d = x[i] - vector[i];
        sum += d * d;
    }
    return fv_exp(-gamma * sum);
}

static void normalise(const FvModel *model, const FvModelMember *member, const double *features, double *x)
{
    for (int i = 0; i < model->feature_count; i++)
        x[i] = member->rescale ? member->slope[i + 1] * features[i] + member->intercept[i + 1] : features[i];
    correct_chroma(model, member, x);
}

static int vector_of(const FvModelMember *member, int i)
{
    return member->which ? (int)member->which[i] : i;
}

/* Returns the score before transform and clip. kernels: the kernel values of all vectors, or NULL. */
static double regress(const FvModel *model, const FvModelMember *member, const double *x, const double *kernels)
{
    double sum = 0;
    for (int i = 0; i < member->count; i++) {
        int vector = vector_of(member, i);
        double kernel =
            kernels ? kernels[vector]
                    : kernel_of(model, member->gamma, x, model->vector + (size_t)vector * model->feature_count);
        sum += member->coefficient[i] * kernel;
    }
    sum -= member->rho;
    return member->rescale ? (sum - member->intercept[0]) / member->slope[0] : sum;
}

static double segment(const double from[2], const double to[2], double x)
{
    if (to[1] == from[1])
        return from[1];
    double slope = (to[1] - from[1]) / (to[0] - from[0]), offset = from[1] - from[0] * slope;
    if (from[0] == 0) {
        offset = from[1];
        slope = (to[1] - from[1]) / to[0];
    }
    return slope * x + offset;
}

/*
 * Applies the piecewise linear transform. The first and the last segment extend to infinity; a knot between two
 * segments belongs to the later one.
 */
static double bend(const FvModelTransform *t, double x)
{
    int i = 0;
    while (i + 2 < t->knot_count && x >= t->knot[i + 1][0])
        i++;
    return segment(t->knot[i], t->knot[i + 1], x);
}

static double transform_of(const FvModelTransform *t, double score)
{
    double result = score;
    if (t->has[0] || t->has[1] || t->has[2]) {
        result = 0;
        if (t->has[0])
            result += t->p[0];
        if (t->has[1])
            result += t->p[1] * score;
        if (t->has[2])
            result += t->p[2] * score * score;
    }
    if (t->knot_count > 1)
        result = bend(t, result);
    if (t->at_most_input && result > score)
        result = score;
    if (t->at_least_input && result < score)
        result = score;
    return result;
}

static double finish_score(const FvModelMember *member, FvModelFlags flags, double score)
{
    if (member->transform.present && (member->transform.enabled || flags.enable_transform))
        score = transform_of(&member->transform, score);
    if (member->clip && !flags.disable_clip) {
        score = score < member->minimum ? member->minimum : score;
        score = score > member->maximum ? member->maximum : score;
    }
    return score;
}

void fv_model_range(const FvModel *model, FvModelFlags flags, double *minimum, double *maximum)
{
    bool clipped = model->member->clip && !flags.disable_clip;
    *minimum = clipped ? model->member->minimum : -INFINITY;
    *maximum = clipped ? model->member->maximum : INFINITY;
}

/* Returns a percentile of `count` sorted numbers, interpolated between the two nearest. */
static double percentile(const double *sorted, int count, double percent)
{
    double place = percent * (count - 1) / 100.0, low = floor(place), high = ceil(place);
    if (low == high)
        return sorted[(int)low];
    return sorted[(int)low] * (high - place) + sorted[(int)high] * (place - low);
}

/*
 * Computes statistics of all members except the main one, from their scores before transform and clip. Sorts the
 * scores.
 */
static void spread(const FvModel *model, FvModelFlags flags, double *scores, double *values)
{
    const FvModelMember *first = &model->member[1];
    int count = model->member_count - 1;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += scores[i];
    double mean = sum / count;
    for (int i = 0; i < count; i++) {
        double d = scores[i] - mean;
        squares += d * d;
    }
    qsort(scores, (size_t)count, sizeof *scores, fv_compare_reals);
    double slope = (finish_score(first, flags, mean + 0.01) - finish_score(first, flags, mean - 0.01)) / 0.02;
    values[FV_MODEL_BAGGING] = finish_score(first, flags, mean);
    values[FV_MODEL_STDDEV] = sqrt(squares / count) * slope;
    values[FV_MODEL_LOW] = finish_score(first, flags, percentile(scores, count, 2.5));
    values[FV_MODEL_HIGH] = finish_score(first, flags, percentile(scores, count, 97.5));
}

void fv_model_predict(const FvModel *model, FvModelFlags flags, const double *features, double *scratch,
                      double *values)
{
    double x[FV_MODEL_FEATURES], *kernels = scratch, *scores = scratch + model->vector_count;
    if (model->alike) {
        normalise(model, model->member, features, x);
        for (int i = 0; i < model->vector_count; i++)
            kernels[i] = kernel_of(model, model->member->gamma, x, model->vector + (size_t)i * model->feature_count);
    }
    for (int i = 0; i < model->member_count; i++) {
        const FvModelMember *member = &model->member[i];
        if (!model->alike)
            normalise(model, member, features, x);
        double score = regress(model, member, x, model->alike ? kernels : NULL);
        values[i] = finish_score(member, flags, score);
        scores[i] = score;
    }
    if (model->member_count > 1)
        spread(model, flags, scores + 1, values + model->member_count);
}

#include "pool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "float_mode.h"
#include "model.h"
#include "sessions.h"

/* ---- One picture ----------------------------------------------------------------------------------------------- */

static int score_at(VmafContext *context, const VmafModel *model, double *score, unsigned index)
{
    const LvModelParts *parts = &model->parts;
    double *values;
    if (!lv_scores_get(&context->scores, parts->name, score, index))
        return 0;
    int failed = lv_model_predict(parts, &context->scores, index, &values);
    if (failed)
        return failed;
    *score = values[0];
    free(values);
    return lv_scores_add(&context->scores, parts->name, *score, index);
}

static const char *const spreads[] = {"bagging", "stddev", "ci_p95_lo", "ci_p95_hi"};

static void spread_name(const LvModelParts *parts, int spread, char name[LV_NAME])
{
    snprintf(name, LV_NAME, "%s_%s", parts->name, spreads[spread]);
}

static void fill_collection_score(VmafModelCollectionScore *score, const double spread[4])
{
    *score = (VmafModelCollectionScore){.type = VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP};
    score->bootstrap.bagging_score = spread[0];
    score->bootstrap.stddev = spread[1];
    score->bootstrap.ci.p95.lo = spread[2];
    score->bootstrap.ci.p95.hi = spread[3];
}

static bool is_known(const VmafContext *context, const LvModelParts *parts, unsigned index, double spread[4])
{
    char name[LV_NAME];
    for (int i = 0; i < 4; i++) {
        spread_name(parts, i, name);
        if (lv_scores_get(&context->scores, name, &spread[i], index))
            return false;
    }
    return true;
}

/* Computes the members' scores, and their spread. The main member's score is that of the single model. */
static int score_collection_at(VmafContext *context, const VmafModelCollection *collection,
                               VmafModelCollectionScore *score, unsigned index)
{
    const LvModelParts *parts = &collection->parts;
    char name[LV_NAME];
    double *values, spread[4];
    if (is_known(context, parts, index, spread)) {
        fill_collection_score(score, spread);
        return 0;
    }
    int failed = lv_model_predict(parts, &context->scores, index, &values);
    if (failed)
        return failed;
    int members = fv_model_values(parts->model) - 4;
    for (int i = 1; i < members && !failed; i++) {
        snprintf(name, sizeof name, "%s_%04d", parts->name, i);
        failed = lv_scores_add(&context->scores, name, values[i], index);
    }
    for (int i = 0; i < 4 && !failed; i++) {
        spread_name(parts, i, name);
        failed = lv_scores_add(&context->scores, name, values[members + i], index);
    }
    if (!failed)
        fill_collection_score(score, values + members);
    free(values);
    return failed;
}

/* ---- Several --------------------------------------------------------------------------------------------------- */

static bool left_out(const VmafContext *context, unsigned index)
{
    return context->cfg.n_subsample > 1 && index % context->cfg.n_subsample;
}

int lv_pool_scores(const VmafContext *context, const char *name, enum VmafPoolingMethod method, double *score,
                   unsigned low, unsigned high)
{
    const LvSeries *series = lv_scores_find(&context->scores, name);
    double least = 0, greatest = 0, sum = 0, inverse = 0, value;
    unsigned count = 0;
    for (uint64_t i = low; i <= high; i++) {
        if (left_out(context, (unsigned)i))
            continue;
        if (!lv_series_at(series, (unsigned)i, &value))
            return -EINVAL;
        count++;
        sum += value;
        inverse += 1 / (value + 1);
        least = i == low || value < least ? value : least;
        greatest = i == low || value > greatest ? value : greatest;
    }
    const double results[] = {[VMAF_POOL_METHOD_MIN] = least,
                              [VMAF_POOL_METHOD_MAX] = greatest,
                              [VMAF_POOL_METHOD_MEAN] = sum / count,
                              [VMAF_POOL_METHOD_HARMONIC_MEAN] = count / inverse - 1};
    if ((unsigned)method >= VMAF_POOL_METHOD_NB || !method)
        return -EINVAL;
    *score = results[method];
    return 0;
}

static int score_all(VmafContext *context, const VmafModel *model, unsigned low, unsigned high)
{
    double score;
    int failed = 0;
    for (uint64_t i = low; i <= high && !failed; i++)
        failed = left_out(context, (unsigned)i) ? 0 : score_at(context, model, &score, (unsigned)i);
    return failed;
}

static int score_all_collection(VmafContext *context, const VmafModelCollection *collection, unsigned low,
                                unsigned high)
{
    VmafModelCollectionScore score;
    int failed = 0;
    for (uint64_t i = low; i <= high && !failed; i++)
        failed = left_out(context, (unsigned)i) ? 0 : score_collection_at(context, collection, &score, (unsigned)i);
    return failed;
}

/* ---- The interface --------------------------------------------------------------------------------------------- */

static void lock(VmafContext *context)
{
    pthread_mutex_lock(&context->lock);
    lv_sessions_take(context); /* after a failure, scores are missing, and callers report that */
}

static int unlock(VmafContext *context, int failed)
{
    pthread_mutex_unlock(&context->lock);
    return failed;
}

int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index)
{
    FV_FLOAT_MODE;
    if (!vmaf || !feature_name || !score)
        return -EINVAL;
    lock(vmaf);
    return unlock(vmaf, lv_scores_get(&vmaf->scores, feature_name, score, index));
}

int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index)
{
    FV_FLOAT_MODE;
    if (!vmaf || !model || !score)
        return -EINVAL;
    lock(vmaf);
    return unlock(vmaf, score_at(vmaf, model, score, index));
}

int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                         VmafModelCollectionScore *score, unsigned index)
{
    FV_FLOAT_MODE;
    if (!vmaf || !model_collection || !score)
        return -EINVAL;
    lock(vmaf);
    return unlock(vmaf, score_collection_at(vmaf, model_collection, score, index));
}

int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name, enum VmafPoolingMethod pool_method,
                              double *score, unsigned index_low, unsigned index_high)
{
    FV_FLOAT_MODE;
    if (!vmaf || !feature_name || !score || index_low > index_high || !pool_method)
        return -EINVAL;
    lock(vmaf);
    return unlock(vmaf, lv_pool_scores(vmaf, feature_name, pool_method, score, index_low, index_high));
}

int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method, double *score,
                      unsigned index_low, unsigned index_high)
{
    FV_FLOAT_MODE;
    if (!vmaf || !model || !score || index_low > index_high || !pool_method)
        return -EINVAL;
    lock(vmaf);
    int failed = score_all(vmaf, model, index_low, index_high);
    if (!failed)
        failed = lv_pool_scores(vmaf, model->parts.name, pool_method, score, index_low, index_high);
    return unlock(vmaf, failed);
}

int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                       enum VmafPoolingMethod pool_method, VmafModelCollectionScore *score,
                                       unsigned index_low, unsigned index_high)
{
    FV_FLOAT_MODE;
    if (!vmaf || !model_collection || !score || index_low > index_high || !pool_method)
        return -EINVAL;
    lock(vmaf);
    int failed = score_all_collection(vmaf, model_collection, index_low, index_high);
    double spread[4];
    char name[LV_NAME];
    for (int i = 0; i < 4 && !failed; i++) {
        spread_name(&model_collection->parts, i, name);
        failed = lv_pool_scores(vmaf, name, pool_method, &spread[i], index_low, index_high);
    }
    if (!failed)
        fill_collection_score(score, spread);
    return unlock(vmaf, failed);
}

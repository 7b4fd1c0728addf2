#include "model.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dictionary.h"
#include "extractor.h"
#include "float_mode.h"
#include "log.h"

struct LvRegression {
    atomic_int count;
    FvModel *model;
    char *path; /* path of its file, or NULL */
};

static void release(LvRegression *regression)
{
    if (!regression || atomic_fetch_sub(&regression->count, 1) > 1)
        return;
    fv_model_close(&regression->model);
    free(regression->path);
    free(regression);
}

static void clear(LvModelParts *parts)
{
    for (int i = 0; parts->options && i < parts->feature_count; i++)
        vmaf_feature_dictionary_free(&parts->options[i]);
    for (int i = 0; parts->names && i < parts->feature_count; i++)
        free(parts->names[i]);
    free(parts->options);
    free(parts->names);
    free(parts->name);
    release(parts->regression);
}

/* Names the score of feature i. Call after every change of the feature's options. */
static int name_feature(LvModelParts *parts, int i)
{
    const char *feature = fv_model_feature(parts->model, i)->name;
    const LvExtractor *extractor = lv_extractor_of(feature);
    LvOptions options;
    char name[LV_NAME];
    free(parts->names[i]);
    parts->names[i] = NULL;
    if (!extractor || lv_options_read(extractor, parts->options[i], &options))
        return 0;
    lv_column_name(&(LvColumn){.name = feature}, options.suffix, name);
    parts->names[i] = strdup(name);
    return parts->names[i] ? 0 : -ENOMEM;
}

static int refuse_option(const char *extractor, const char *option)
{
    lv_log(VMAF_LOG_LEVEL_ERROR,
           "the model sets \"%s\" of \"%s\", which decides no score: remove it from the file, and set it yourself",
           option, extractor);
    return -EINVAL;
}

static int copy_options(LvModelParts *parts)
{
    parts->feature_count = fv_model_features(parts->model);
    parts->options = calloc((size_t)parts->feature_count + 1, sizeof *parts->options);
    parts->names = calloc((size_t)parts->feature_count + 1, sizeof *parts->names);
    int failed = parts->options && parts->names ? 0 : -ENOMEM;
    for (int i = 0; i < parts->feature_count && !failed; i++) {
        const FvModelFeature *feature = fv_model_feature(parts->model, i);
        const LvExtractor *extractor = lv_extractor_of(feature->name);
        for (const FvModelOption *o = feature->options; o->name && !failed; o++) {
            if (extractor && !fv_model_may_set_option(extractor->metric, o->name))
                failed = refuse_option(extractor->name, o->name);
            else
                failed = lv_dictionary_put(&parts->options[i], o->name, o->value);
        }
    }
    for (int i = 0; i < parts->feature_count && !failed; i++)
        failed = name_feature(parts, i);
    return failed;
}

/* Fills the parts of a model. Holds a reference to the regression, except after a failure. */
static int fill_parts(LvModelParts *parts, LvRegression *regression, const VmafModelConfig *cfg)
{
    atomic_fetch_add(&regression->count, 1);
    *parts = (LvModelParts){.name = strdup(cfg->name ? cfg->name : "vmaf"),
                            .regression = regression,
                            .model = regression->model,
                            .flags = {.disable_clip = cfg->flags & VMAF_MODEL_FLAG_DISABLE_CLIP,
                                      .enable_transform = cfg->flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM}};
    int failed = parts->name ? copy_options(parts) : -ENOMEM;
    if (failed)
        clear(parts);
    return failed;
}

/* ---- Loading --------------------------------------------------------------------------------------------------- */

/* Logs that the file is not a model, or is a collection instead of a model. */
static void complain_of_path(const char *what, const char *path, const FvError *error)
{
    size_t length = strlen(path);
    if (error->status)
        lv_log(VMAF_LOG_LEVEL_ERROR, "%s", error->message);
    lv_log(VMAF_LOG_LEVEL_ERROR, "could not read %s from path: \"%s\"", what, path);
    if (length > 4 && !strcmp(path + length - 4, ".pkl"))
        lv_log(VMAF_LOG_LEVEL_ERROR, "pickled models cannot be read; the JSON form of the same model can");
}

static int open_regression(LvRegression **regression, const char *what, const char *version, const char *path,
                           bool collection)
{
    FvError error = {0};
    FvModel *model = NULL;
    FvStatus status = fv_model_open(&model, &(FvModelParams){version, path}, &error);
    if (status && version)
        lv_log(VMAF_LOG_LEVEL_WARNING, "no such built-in %s: \"%s\"", what, version);
    bool fits = !status && (fv_model_values(model) > 1) == collection;
    if (path && !fits)
        complain_of_path(what, path, &error);
    *regression = fits ? calloc(1, sizeof **regression) : NULL;
    if (!*regression) {
        fv_model_close(&model);
        return fits || status == FV_ERROR_MEMORY ? -ENOMEM : -EINVAL;
    }
    atomic_init(&(*regression)->count, 1);
    (*regression)->model = model;
    (*regression)->path = path ? strdup(path) : NULL;
    if (!path || (*regression)->path)
        return 0;
    release(*regression);
    return -ENOMEM;
}

static int load_model(VmafModel **model, const VmafModelConfig *cfg, const char *version, const char *path)
{
    LvRegression *regression;
    if (model)
        *model = NULL;
    if (!model || !cfg || (!version && !path))
        return -EINVAL;
    int failed = open_regression(&regression, "model", version, path, false);
    if (failed)
        return failed;
    VmafModel *made = malloc(sizeof *made);
    failed = made ? fill_parts(&made->parts, regression, cfg) : -ENOMEM;
    if (failed)
        free(made);
    else
        *model = made;
    release(regression);
    return failed;
}

static int load_collection(VmafModel **model, VmafModelCollection **collection, const VmafModelConfig *cfg,
                           const char *version, const char *path)
{
    LvRegression *regression;
    if (model)
        *model = NULL;
    if (collection)
        *collection = NULL;
    if (!model || !collection || !cfg || (!version && !path))
        return -EINVAL;
    int failed = open_regression(&regression, "model collection", version, path, true);
    if (failed)
        return failed;
    VmafModel *one = malloc(sizeof *one);
    VmafModelCollection *all = malloc(sizeof *all);
    failed = one && all ? fill_parts(&one->parts, regression, cfg) : -ENOMEM;
    if (!failed && (failed = fill_parts(&all->parts, regression, cfg)))
        clear(&one->parts);
    release(regression);
    if (failed) {
        free(one);
        free(all);
        return failed;
    }
    *model = one;
    *collection = all;
    return 0;
}

int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version)
{
    FV_FLOAT_MODE;
    return load_model(model, cfg, version, NULL);
}

int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path)
{
    FV_FLOAT_MODE;
    return load_model(model, cfg, NULL, path);
}

int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection, VmafModelConfig *cfg,
                               const char *version)
{
    FV_FLOAT_MODE;
    return load_collection(model, model_collection, cfg, version, NULL);
}

int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                         VmafModelConfig *cfg, const char *path)
{
    FV_FLOAT_MODE;
    return load_collection(model, model_collection, cfg, NULL, path);
}

void vmaf_model_destroy(VmafModel *model)
{
    if (model)
        clear(&model->parts);
    free(model);
}

void vmaf_model_collection_destroy(VmafModelCollection *model_collection)
{
    if (model_collection)
        clear(&model_collection->parts);
    free(model_collection);
}

/* ---- Options of features --------------------------------------------------------------------------------------- */

static int overload(LvModelParts *parts, const char *extractor, const VmafFeatureDictionary *options)
{
    int failed = 0;
    for (int i = 0; i < parts->feature_count && !failed; i++) {
        const LvExtractor *of = lv_extractor_of(fv_model_feature(parts->model, i)->name);
        if (!of || strcmp(of->name, extractor))
            continue;
        failed = lv_dictionary_merge(&parts->options[i], options);
        if (!failed)
            failed = name_feature(parts, i);
    }
    return failed;
}

int vmaf_model_feature_overload(VmafModel *model, const char *feature_name, VmafFeatureDictionary *opts_dict)
{
    FV_FLOAT_MODE;
    if (!model || !feature_name || !opts_dict)
        return -EINVAL;
    int failed = overload(&model->parts, feature_name, opts_dict);
    vmaf_feature_dictionary_free(&opts_dict);
    return failed;
}

int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                           const char *feature_name, VmafFeatureDictionary *opts_dict)
{
    FV_FLOAT_MODE;
    if (!model || !model_collection || !*model_collection || !feature_name || !opts_dict)
        return -EINVAL;
    int failed = overload(&(*model_collection)->parts, feature_name, opts_dict);
    int main_failed = vmaf_model_feature_overload(model, feature_name, opts_dict);
    return failed ? failed : main_failed;
}

const char *lv_model_path(const LvModelParts *parts)
{
    return parts->regression->path;
}

/* ---- Scores ---------------------------------------------------------------------------------------------------- */

static int feature_value(const LvModelParts *parts, int i, const LvScores *scores, unsigned index, double *value)
{
    const char *name = parts->names[i];
    int failed = name ? lv_scores_get(scores, name, value, index) : -EINVAL;
    if (failed)
        lv_log(VMAF_LOG_LEVEL_ERROR, "%s: there is no feature \"%s\" at index %u", parts->name,
               name ? name : fv_model_feature(parts->model, i)->name, index);
    return failed;
}

int lv_model_predict(const LvModelParts *parts, const LvScores *scores, unsigned index, double **values)
{
    int failed = 0;
    double *seen = malloc((size_t)parts->feature_count * sizeof *seen + 1);
    *values = malloc((size_t)fv_model_values(parts->model) * sizeof **values);
    if (!seen || !*values)
        failed = -ENOMEM;
    for (int i = 0; i < parts->feature_count && !failed; i++)
        failed = feature_value(parts, i, scores, index, &seen[i]);
    if (!failed && fv_model_score(parts->model, parts->flags, seen, *values, NULL))
        failed = -ENOMEM;
    free(seen);
    if (failed) {
        free(*values);
        *values = NULL;
    }
    return failed;
}

/* The public functions of models: they open built-in models and files, and compute scores. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"
#include "option/file.h"
#include "option/option.h"

static FvStatus find_model(FvModel **model, const char *version, FvError *error)
{
    const char *names[32];
    int count = 0;
    for (; count < 32 && fv_model_at(count); count++)
        names[count] = fv_model_at(count)->name;
    const char *near = fv_nearest(version, names, count);
    *model = (FvModel *)fv_model_find(version); /* the const is cast away because the model is never written: closing
                                                   frees only models with `memory` */
    return *model ? FV_OK
                  : fv_fail(error, FV_ERROR_USAGE, "'%.80s' is not a built-in model%s%s%s", version,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

FvStatus fv_model_open(FvModel **model, const FvModelParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, model);
    *model = NULL;
    FV_REQUIRE(error, params);
    if (!params->version == !params->path)
        return fv_fail(error, FV_ERROR_USAGE, "give the version or the path of a model, and only one of them");
    if (params->version)
        return find_model(model, params->version, error);
    FvOptionFile file;
    FvStatus status = fv_option_file_read(&file, "model", params->path, error);
    if (!status)
        status = fv_model_read(model, params->path, (const char *)file.content.bytes, file.content.size, file.sha256,
                               error);
    free(file.content.bytes);
    return status;
}

int fv_model_features(const FvModel *model)
{
    return model ? model->feature_count : 0;
}

const FvModelFeature *fv_model_feature(const FvModel *model, int i)
{
    return model && i >= 0 && i < model->feature_count ? &model->feature[i] : NULL;
}

FvStatus fv_model_score(const FvModel *model, FvModelFlags flags, const double *features, double *values,
                        FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, model);
    FV_REQUIRE(error, features);
    FV_REQUIRE(error, values);
    double *scratch = malloc(fv_model_scratch(model) * sizeof *scratch);
    if (!scratch)
        return fv_fail_memory(error, fv_model_scratch(model) * sizeof *scratch);
    fv_model_predict(model, flags, features, scratch, values);
    free(scratch);
    return FV_OK;
}

void fv_model_close(FvModel **model)
{
    if (model && *model && (*model)->memory)
        fv_model_free(model);
    if (model)
        *model = NULL;
}

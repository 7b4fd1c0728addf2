/*
 * Models of VMAF, for programs that compute the features themselves. A program that scores one frame:
 *
 *     FvError error = {0};
 *     FvModel *model = NULL;
 *     double features[16] = {0}, values[8];
 *     FvStatus status = fv_model_open(&model, &(FvModelParams){.version = "vmaf_v0.6.1"}, &error);
 *     if (!status && fv_model_features(model) <= 16 && fv_model_values(model) <= 8)
 *         status = fv_model_score(model, (FvModelFlags){0}, features, values, &error);
 *     fv_model_close(&model);
 *
 * The values of the features, here 0, come from the program.
 */
#ifndef FOVEA_MODEL_H
#define FOVEA_MODEL_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A model, which computes a score from values of features. (The metric `vmaf` computes both.) A model never changes
 * and may serve any number of threads. docs/metrics/vmaf.md
 */
typedef struct FvModel FvModel;

typedef struct FvModelParams {
    const char *version; /* name of a built-in model: "vmaf_v0.6.1" */
    const char *path;    /* path of a file in libvmaf's JSON format, instead of `version` */
} FvModelParams;

/* An option of the metric that computes a feature, as text. */
typedef struct FvModelOption {
    const char *name, *value;
} FvModelOption;

typedef struct FvModelFeature {
    const char *name;             /* libvmaf's long name: "VMAF_integer_feature_adm2_score" */
    const FvModelOption *options; /* the last entry has a NULL name */
} FvModelFeature;

/*
 * Returns whether a model file may set an option of a metric. It may set numbers, switches and words from a list,
 * since they affect scores. It may not set free text, which could name a file or a folder; only the user may. True
 * for an unknown metric or option. Thread-safe.
 */
FV_API bool fv_model_may_set_option(const char *metric, const char *option);

typedef struct FvModelFlags {
    bool disable_clip;     /* do not clip scores to the model's range */
    bool enable_transform; /* transform scores even if the model disables its transform */
} FvModelFlags;

/*
 * Opens a model, which the caller closes. FV_ERROR_USAGE: the version does not exist, or both or none of version and
 * path are given. FV_ERROR_INPUT: the file cannot be read, or is not a model.
 */
FV_API FvStatus fv_model_open(FvModel **model, const FvModelParams *params, FvError *error);

/*
 * Return the number of features, and feature i in [0, count), else NULL, in the order in which fv_model_score()
 * expects their values.
 */
FV_API int fv_model_features(const FvModel *model);
FV_API const FvModelFeature *fv_model_feature(const FvModel *model, int i);

/*
 * Returns how many values a score has. A plain model has 1. A collection of n members has n + 4: the main score, n -
 * 1 scores of the other members, their mean, their standard deviation, and the ends of the interval that contains 95
 * % of them.
 */
FV_API int fv_model_values(const FvModel *model);

/* Computes values[fv_model_values(model)] from features[fv_model_features(model)]. */
FV_API FvStatus fv_model_score(const FvModel *model, FvModelFlags flags, const double *features, double *values,
                               FvError *error);

FV_API void fv_model_close(FvModel **model);

#ifdef __cplusplus
}
#endif

#endif

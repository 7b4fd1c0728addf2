/* Models of VMAF, without any video. */
#ifndef FOVEA_MODEL_H
#define FOVEA_MODEL_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A model that turns values of features into a score, for programs that compute the features themselves. (The metric
 * `vmaf` computes both.) A model never changes and may serve any number of threads. docs/metrics/vmaf.md
 */
typedef struct FvModel FvModel;

typedef struct FvModelParams {
    const char *version; /* a built-in model: "vmaf_v0.6.1" */
    const char *path;    /* instead: a file in libvmaf's JSON form */
} FvModelParams;

/* An option of the metric that computes a feature, as text. */
typedef struct FvModelOption {
    const char *name, *value;
} FvModelOption;

typedef struct FvModelFeature {
    const char *name;             /* libvmaf's long name: "VMAF_integer_feature_adm2_score" */
    const FvModelOption *options; /* ends with a NULL name */
} FvModelFeature;

/*
 * Whether a model file may set an option of a metric. Numbers, switches and words from a list decide scores; free
 * text, which may name a file or a folder, is the user's alone: false. True for an unknown metric or option.
 */
FV_API bool fv_model_sets_option(const char *metric, const char *option);

typedef struct FvModelFlags {
    bool disable_clip;     /* scores may leave the model's range */
    bool enable_transform; /* transforms scores even where the model turns this off */
} FvModelFlags;

/* FV_ERROR_USAGE: the version does not exist. FV_ERROR_INPUT: the file is not a model. */
FV_API FvStatus fv_model_open(FvModel **model, const FvModelParams *params, FvError *error);

/* The features, in the order in which fv_model_score takes their values; NULL outside [0, count). */
FV_API int fv_model_features(const FvModel *model);
FV_API const FvModelFeature *fv_model_feature(const FvModel *model, int i);

/*
 * How many values a score has. A plain model: 1. A collection of n members: the main score, n - 1 scores of the other
 * members, their mean, their standard deviation, and the ends of the interval that holds 95 % of them: n + 4.
 */
FV_API int fv_model_values(const FvModel *model);

/* values[fv_model_values(model)] from features[fv_model_features(model)]. */
FV_API FvStatus fv_model_score(const FvModel *model, FvModelFlags flags, const double *features, double *values,
                               FvError *error);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_model_close(FvModel **model);

#ifdef __cplusplus
}
#endif

#endif

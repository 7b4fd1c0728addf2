/* Models: a regression, which several share, with a name and the options of its features. */
#pragma once

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"
#include "scores.h"

typedef struct LvRegression LvRegression;

/* A collection has the same parts: all of its members see the same features. */
typedef struct LvModelParts {
    char *name;
    LvRegression *regression;
    const FvModel *model;
    FvModelFlags flags;
    int feature_count;
    VmafFeatureDictionary **options; /* options of each feature */
    char **names; /* names of their scores with these options; NULL: no extractor computes the score */
} LvModelParts;

struct VmafModel {
    LvModelParts parts;
};

struct VmafModelCollection {
    LvModelParts parts;
};

/* The file that the model came from, or NULL. */
const char *lv_model_path(const LvModelParts *parts);

/*
 * The values of the model's score at an index, fv_model_values(parts->model) of them, from what is known. -EINVAL,
 * with a message, when a feature is missing. The caller frees them.
 */
int lv_model_predict(const LvModelParts *parts, const LvScores *scores, unsigned index, double **values);

/* Models: a regression, which several models may share, a name, and the options of the features. */
#pragma once

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"
#include "scores.h"

typedef struct LvRegression LvRegression;

/* The parts of a model or a collection. All members of a collection use the same features. */
typedef struct LvModelParts {
    char *name;
    LvRegression *regression;
    const FvModel *model;
    FvModelFlags flags;
    int feature_count;
    VmafFeatureDictionary **options; /* options of each feature */
    char **names; /* name of each feature's score with these options; NULL: no extractor computes it */
} LvModelParts;

struct VmafModel {
    LvModelParts parts;
};

struct VmafModelCollection {
    LvModelParts parts;
};

/* Returns the path of the file from which the model was loaded, or NULL. */
const char *lv_model_path(const LvModelParts *parts);

/*
 * Computes the values of the model's score at an index, of which there are fv_model_values(parts->model). The caller
 * frees them. If a feature has no score there, prints a message and returns -EINVAL.
 */
int lv_model_predict(const LvModelParts *parts, const LvScores *scores, unsigned index, double **values);

/*
 * Models, for programs built for libvmaf 3. Part of fovea's stand-in for libvmaf.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 */
#ifndef LIBVMAF_MODEL_H
#define LIBVMAF_MODEL_H

#include <stdint.h>

#include "feature.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafModel VmafModel;
typedef struct VmafModelCollection VmafModelCollection;

/* Bits. */
enum VmafModelFlags {
    VMAF_MODEL_FLAGS_DEFAULT = 0,
    VMAF_MODEL_FLAG_DISABLE_CLIP = 1,      /* scores may leave the model's range */
    VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 2,  /* the model's transform also where the model has it off */
    VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 4, /* no effect on loading, as in libvmaf */
};

typedef struct VmafModelConfig {
    const char *name; /* name of its scores in reports; NULL: "vmaf" */
    uint64_t flags;
} VmafModelConfig;

/*
 * A built-in model by version ("vmaf_v0.6.1"), or one from a JSON file. The caller destroys it, before or after the
 * context is closed. -EINVAL when there is none, or when it is a collection; *model is NULL then.
 */
VMAF_API int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version);
VMAF_API int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path);

/*
 * Other options for those of the model's features that the extractor `feature_name` ("adm", "vif") computes. Before
 * the model's features are put to use. Takes the dictionary, except when it returns -EINVAL for NULL. A name that the
 * model does not need changes nothing and is not an error.
 */
VMAF_API int vmaf_model_feature_overload(VmafModel *model, const char *feature_name,
                                         VmafFeatureDictionary *opts_dict);

/* Accepts NULL. */
VMAF_API void vmaf_model_destroy(VmafModel *model);

enum VmafModelCollectionScoreType {
    VMAF_MODEL_COLLECTION_SCORE_UNKNOWN = 0,
    VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP = 1,
};

typedef struct VmafModelCollectionScore {
    enum VmafModelCollectionScoreType type;
    struct {
        double bagging_score; /* mean of the members' predictions */
        double stddev;        /* their standard deviation */
        struct {
            struct {
                double lo, hi;
            } p95; /* the ends of the interval that holds 95 % of them */
        } ci;
    } bootstrap;
} VmafModelCollectionScore;

/*
 * A collection, and in *model its main member as a model of its own. Both are the caller's. -EINVAL when there is
 * none, or when it is a plain model; both are NULL then.
 */
VMAF_API int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection,
                                        VmafModelConfig *cfg, const char *version);
VMAF_API int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                                  VmafModelConfig *cfg, const char *path);

/* Overloads a feature of the main model and the collection, as vmaf_model_feature_overload() does. */
VMAF_API int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                                    const char *feature_name, VmafFeatureDictionary *opts_dict);

/* Accepts NULL. */
VMAF_API void vmaf_model_collection_destroy(VmafModelCollection *model_collection);

#ifdef __cplusplus
}
#endif

#endif

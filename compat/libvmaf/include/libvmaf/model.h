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

/* Bits of VmafModelConfig.flags. */
enum VmafModelFlags {
    VMAF_MODEL_FLAGS_DEFAULT = 0,
    VMAF_MODEL_FLAG_DISABLE_CLIP = 1,      /* do not clip scores to the model's range */
    VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 2,  /* apply the model's transform even if the model disables it */
    VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 4, /* no effect on loading, as in libvmaf */
};

typedef struct VmafModelConfig {
    const char *name; /* name of its scores in reports; NULL: "vmaf" */
    uint64_t flags;
} VmafModelConfig;

/*
 * Load a built-in model by its version ("vmaf_v0.6.1"), or a model from a JSON file. The caller destroys it, before
 * or after closing the context. -EINVAL, with *model NULL: there is no such model, or it is a collection.
 */
VMAF_API int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version);
VMAF_API int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path);

/*
 * Sets options of those of the model's features that the extractor `feature_name` ("adm", "vif") computes. Call
 * before using the model's features. Frees the dictionary, except if it returns -EINVAL because of a NULL. An
 * extractor that the model does not use is not an error, and changes nothing.
 */
VMAF_API int vmaf_model_feature_overload(VmafModel *model, const char *feature_name,
                                         VmafFeatureDictionary *opts_dict);

/* Frees a model. Accepts NULL. */
VMAF_API void vmaf_model_destroy(VmafModel *model);

enum VmafModelCollectionScoreType {
    VMAF_MODEL_COLLECTION_SCORE_UNKNOWN = 0,
    VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP = 1,
};

typedef struct VmafModelCollectionScore {
    enum VmafModelCollectionScoreType type;
    struct {
        double bagging_score; /* mean of the members' predictions */
        double stddev;        /* standard deviation of the members' predictions */
        struct {
            struct {
                double lo, hi;
            } p95; /* ends of the interval that contains 95 % of the predictions */
        } ci;
    } bootstrap;
} VmafModelCollectionScore;

/*
 * Load a collection, and into *model its main member as a separate model. The caller destroys both. -EINVAL, with
 * both NULL: there is no such collection, or it is a single model.
 */
VMAF_API int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection,
                                        VmafModelConfig *cfg, const char *version);
VMAF_API int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                                  VmafModelConfig *cfg, const char *path);

/* Overloads a feature of the main model and the collection, as vmaf_model_feature_overload() does. */
VMAF_API int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                                    const char *feature_name, VmafFeatureDictionary *opts_dict);

/* Frees a collection. Accepts NULL. */
VMAF_API void vmaf_model_collection_destroy(VmafModelCollection *model_collection);

#ifdef __cplusplus
}
#endif

#endif

/*
 * The interface of libvmaf 3, answered by fovea: docs/libvmaf.md. For new programs there is fovea/fovea.h.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * Functions return 0, or a negative number of errno.h: -EINVAL when something is wrong with the arguments, the order
 * of calls or the pictures, -ENOMEM when memory runs out. A NULL where an object or a place for a result belongs is
 * -EINVAL. The reason goes to standard error if the log level allows it. A context may be used by several
 * threads; contexts are independent of each other.
 */
#ifndef LIBVMAF_LIBVMAF_H
#define LIBVMAF_LIBVMAF_H

#include <stdint.h>
#include <stdio.h> /* unused: clients rely on it */

#include "feature.h"
#include "model.h"
#include "picture.h"

#ifdef __cplusplus
extern "C" {
#endif

enum VmafLogLevel {
    VMAF_LOG_LEVEL_NONE = 0,
    VMAF_LOG_LEVEL_ERROR = 1,
    VMAF_LOG_LEVEL_WARNING = 2,
    VMAF_LOG_LEVEL_INFO = 3,
    VMAF_LOG_LEVEL_DEBUG = 4,
};

enum VmafOutputFormat {
    VMAF_OUTPUT_FORMAT_NONE = 0,
    VMAF_OUTPUT_FORMAT_XML = 1,
    VMAF_OUTPUT_FORMAT_JSON = 2,
    VMAF_OUTPUT_FORMAT_CSV = 3,
    VMAF_OUTPUT_FORMAT_SUB = 4, /* subtitles in MicroDVD's form */
};

enum VmafPoolingMethod {
    VMAF_POOL_METHOD_UNKNOWN = 0,
    VMAF_POOL_METHOD_MIN = 1,
    VMAF_POOL_METHOD_MAX = 2,
    VMAF_POOL_METHOD_MEAN = 3,
    VMAF_POOL_METHOD_HARMONIC_MEAN = 4, /* n / sum(1 / (1 + x)) - 1 */
    VMAF_POOL_METHOD_NB = 5,
};

typedef struct VmafConfiguration {
    enum VmafLogLevel log_level; /* log level of the process, which the last opened context sets */
    unsigned n_threads;          /* 0: everything happens in the caller's thread */
    unsigned n_subsample;        /* score every n-th picture by its index; 0 and 1: every one */
    uint64_t cpumask;            /* without effect: scores do not depend on instruction sets */
    uint64_t gpumask;            /* without effect: the environment variable FOVEA_DEVICE chooses */
} VmafConfiguration;

typedef struct VmafContext VmafContext;

VMAF_API int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/*
 * Have the features of a model computed, or one by the name of its extractor, before the first picture is read. The
 * same one with the same options counts once. vmaf_use_feature() takes the dictionary, except when it returns -EINVAL
 * because there is no such extractor.
 */
VMAF_API int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);
VMAF_API int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection);
VMAF_API int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict);

/* A score from elsewhere, under a name of its own. -EINVAL when that has one at this index already. */
VMAF_API int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index);

/*
 * Takes one pair of pictures of equal size, format and depth, those of the first pair. On failure the pictures stay
 * the caller's. Indices may come in any order and leave gaps; features that look back see the picture of the call
 * before. Two NULLs end reading: scores that look ahead are complete then, and no further picture is taken.
 */
VMAF_API int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/*
 * Scores of one picture. Of a feature by the name that libvmaf gives it ("VMAF_integer_feature_adm2_score"), which
 * is not always that in reports. The score of a model needs all of its features, and motion is known at the end only.
 */
VMAF_API int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);
VMAF_API int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                                  VmafModelCollectionScore *score, unsigned index);
VMAF_API int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index);

/* The same, pooled over the pictures from index_low to index_high, both included. All of them must have a score. */
VMAF_API int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method, double *score,
                               unsigned index_low, unsigned index_high);
VMAF_API int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                                enum VmafPoolingMethod pool_method, VmafModelCollectionScore *score,
                                                unsigned index_low, unsigned index_high);
VMAF_API int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name,
                                       enum VmafPoolingMethod pool_method, double *score, unsigned index_low,
                                       unsigned index_high);

typedef struct VmafPictureConfiguration {
    struct {
        unsigned w, h; /* luma samples */
        unsigned bpc;
        enum VmafPixelFormat pix_fmt;
    } pic_params;
    unsigned pic_cnt; /* at least 1 */
} VmafPictureConfiguration;

/* A number of pictures for vmaf_fetch_preallocated_picture(). */
VMAF_API int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);

/*
 * One of them. Waits until one has been given back when none is left: with vmaf_picture_unref(), or by reading it.
 * Its samples are any. -EINVAL without vmaf_preallocate_pictures().
 */
VMAF_API int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/* Models may be destroyed before. Pictures that the caller still has stay good. */
VMAF_API int vmaf_close(VmafContext *vmaf);

/*
 * Everything known so far, as a file that appears whole or not at all. Numbers have a decimal point in every locale.
 * -EINVAL when it cannot be written, and for VMAF_OUTPUT_FORMAT_NONE, which leaves a file alone.
 */
VMAF_API int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

/* The version of libvmaf that this stands in for, and fovea's own: "3.2.0-fovea-1.0.0". */
VMAF_API const char *vmaf_version(void);

#ifdef __cplusplus
}
#endif

#endif

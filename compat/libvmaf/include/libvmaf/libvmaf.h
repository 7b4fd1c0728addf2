/*
 * The interface of libvmaf 3, implemented by fovea: docs/libvmaf.md. New programs should use fovea/fovea.h.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * Functions return 0, or a negative number of errno.h: -EINVAL if the arguments, the order of calls or the pictures
 * are wrong, -ENOMEM if memory is exhausted. NULL instead of an object or of a pointer for a result gives -EINVAL.
 * The reason is printed on standard error if the log level allows it. Several threads may use a context; contexts are
 * independent of each other.
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
    VMAF_OUTPUT_FORMAT_SUB = 4, /* subtitles in the format of MicroDVD */
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
    unsigned n_threads;          /* number of threads; 0: everything runs in the caller's thread */
    unsigned n_subsample;        /* score pictures whose index is a multiple of this; 0 and 1: every picture */
    uint64_t cpumask;            /* without effect: scores do not depend on instruction sets */
    uint64_t gpumask;            /* without effect: the environment variable FOVEA_DEVICE chooses */
} VmafConfiguration;

typedef struct VmafContext VmafContext;

VMAF_API int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/*
 * Request the features of a model, or of one extractor by its name. Call before the first picture is read. Equal
 * requests count once. vmaf_use_feature() frees the dictionary, except if it returns -EINVAL because there is no such
 * extractor.
 */
VMAF_API int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);
VMAF_API int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection);
VMAF_API int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict);

/*
 * Adds a score that the caller has computed, under a name of its choice. -EINVAL: the name already has a score at
 * this index.
 */
VMAF_API int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index);

/*
 * Scores a pair of pictures, which must have the size, format and depth of the first pair. On success it releases
 * them; on failure the caller keeps them. Indices may come in any order and have gaps; features that look back use
 * the pictures of the previous call. Two NULLs end reading: scores that look ahead are then complete, and further
 * pictures are refused.
 */
VMAF_API int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/*
 * Return scores of one picture. A feature is named as libvmaf names it ("VMAF_integer_feature_adm2_score"), which may
 * differ from its name in reports. The score of a model needs all of its features; motion is known only after the end
 * of reading.
 */
VMAF_API int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);
VMAF_API int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                                  VmafModelCollectionScore *score, unsigned index);
VMAF_API int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index);

/* Return scores pooled over the pictures from index_low to index_high, inclusive. All of these must have a score. */
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
    unsigned pic_cnt; /* number of pictures, at least 1 */
} VmafPictureConfiguration;

/* Prepares a number of pictures for vmaf_fetch_preallocated_picture(). */
VMAF_API int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);

/*
 * Fetches a preallocated picture with undefined samples. If all are in use, waits until vmaf_picture_unref() or
 * vmaf_read_pictures() releases one. -EINVAL without vmaf_preallocate_pictures().
 */
VMAF_API int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/* Closes a context. Models may be destroyed before that. Pictures that the caller still has remain valid. */
VMAF_API int vmaf_close(VmafContext *vmaf);

/*
 * Writes all scores so far to a file, which appears complete or not at all. Numbers have a decimal point in every
 * locale. -EINVAL if the file cannot be written, and for VMAF_OUTPUT_FORMAT_NONE, which does not touch the file.
 */
VMAF_API int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

/* Returns the version of libvmaf that this library replaces, and fovea's own: "3.2.0-fovea-1.0.0". */
VMAF_API const char *vmaf_version(void);

#ifdef __cplusplus
}
#endif

#endif

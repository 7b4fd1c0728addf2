/* Extractors: features under the names that libvmaf gives them, and the metrics that compute them here. */
#pragma once

#include <stdbool.h>

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"

#define LV_COLUMNS 20 /* maximum number of columns of one extractor */
#define LV_NAME 256   /* bytes of a name with its options */

/* A score of an extractor, in the order in which reports have them. */
typedef struct LvColumn {
    const char *name;   /* in requests */
    const char *output; /* output of the metric; NULL: computed at the end from the others */
    bool plain;         /* its name has no options, and no model may ask for it */
} LvColumn;

typedef struct LvExtractor {
    const char *name;
    const char *metric; /* NULL: nothing is computed */
    bool own;           /* fovea's, unknown to libvmaf: its scores and their names are the session's */
    bool chroma;        /* looks at chroma planes */
    bool every;         /* looks at every picture, also when others are left out */
    bool first;         /* its scores precede those of others when there are threads */
    const char *always; /* options of the metric that are not the user's, or NULL */
    LvColumn column[LV_COLUMNS];
} LvExtractor;

/* By name, or NULL. */
const LvExtractor *lv_extractor_find(const char *name);

/* The one that computes a feature of a model, by that feature's name; NULL: none. */
const LvExtractor *lv_extractor_of(const char *feature);

/* The name in reports. */
const char *lv_alias(const char *feature);

/*
 * An extractor with options: what stands behind the names of its scores, and what the metric is told. Options that
 * one of libvmaf's does not have are left out, as libvmaf leaves them out; fovea's own refuse them. -EINVAL, with a
 * message, for a value that the option does not take.
 */
typedef struct LvOptions {
    char suffix[LV_NAME];
    char metric[2048]; /* for fv_session_add */
    bool luma;         /* the extractor looks at luma only, although it could look at chroma */
    bool five_frames, moving_average, force_zero, debug;
    double blend_factor, blend_offset, max_val; /* options of motion */
} LvOptions;

int lv_options_read(const LvExtractor *extractor, const VmafFeatureDictionary *dict, LvOptions *options);

/* Whether two requests for an extractor are one. */
bool lv_options_same(const LvExtractor *extractor, const LvOptions *a, const LvOptions *b);

/* Whether it does with these options. */
bool lv_looks_at_chroma(const LvExtractor *extractor, const LvOptions *options);

/* A score's name with its options. */
void lv_column_name(const LvColumn *column, const char *suffix, char name[LV_NAME]);

/* Extractors: features by the names that libvmaf gives them, and the metrics of fovea that compute them. */
#pragma once

#include <stdbool.h>

#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"

#define LV_COLUMNS 20 /* maximum number of columns of one extractor */
#define LV_NAME 256   /* maximum bytes of a name with its options */

/* A score of an extractor. Extractors list them in the order of reports. */
typedef struct LvColumn {
    const char *name;   /* name in clients' requests */
    const char *output; /* output of the metric; NULL: the score is computed at the end from other scores */
    bool plain;         /* its name never includes options, and models cannot use it */
} LvColumn;

typedef struct LvExtractor {
    const char *name;
    const char *metric; /* fovea's metric; NULL: none */
    bool own;           /* the metric is one of fovea's that libvmaf lacks; its scores have the session's names */
    bool chroma;        /* reads chroma planes */
    bool every;         /* scores every picture, even with n_subsample */
    bool first;         /* the extractor's scores precede those of others in reports if there are threads */
    const char *always; /* options of the metric that are always set; or NULL */
    LvColumn column[LV_COLUMNS];
} LvExtractor;

/* Returns the extractor of this name, or NULL. */
const LvExtractor *lv_extractor_find(const char *name);

/* Returns the extractor that computes a model's feature of this name; NULL: none. */
const LvExtractor *lv_extractor_of(const char *feature);

/* Returns the name that reports give a feature. */
const char *lv_alias(const char *feature);

/*
 * The options of an extractor: the suffix that they give the names of its scores, and the text for the metric.
 * lv_options_read() ignores options that an extractor of libvmaf lacks, as libvmaf does; fovea's own metrics refuse
 * them. For an invalid value, it prints a message and returns -EINVAL.
 */
typedef struct LvOptions {
    char suffix[LV_NAME];
    char metric[2048]; /* text for fv_session_add() */
    bool luma;         /* the extractor reads only luma, although it can read chroma */
    bool five_frames, moving_average, force_zero, debug;
    double blend_factor, blend_offset, max_val; /* options of motion */
} LvOptions;

int lv_options_read(const LvExtractor *extractor, const VmafFeatureDictionary *dict, LvOptions *options);

/* Returns whether two requests for an extractor are equal. */
bool lv_options_same(const LvExtractor *extractor, const LvOptions *a, const LvOptions *b);

/* Returns whether the extractor reads chroma with these options. */
bool lv_looks_at_chroma(const LvExtractor *extractor, const LvOptions *options);

/* Prints a score's name with its options. */
void lv_column_name(const LvColumn *column, const char *suffix, char name[LV_NAME]);

/*
 * Metrics have the names that users give. metric/<noun>.c defines one FvMetric and registry.c lists it. A metric
 * names the features it wants. Its scores are pure functions of rows of their raw terms, so that rows can be kept,
 * merged and scored again. Stages and pixels are the business of features.
 */
#pragma once

#include "device/feature.h"
#include "fovea/meaning.h"
#include "metric/rows.h"
#include "option/file.h"
#include "picture/region.h"

#define FV_MAX_METRICS 32 /* most metrics of one session */

typedef struct FvMetric FvMetric;

/* A metric instance: one metric with its options in one session. */
typedef struct FvMetricRun {
    const FvMetric *metric;
    const void *options; /* the metric's options struct, parsed */
    FvOptionFile *files; /* [i]: of option i when it is a path that is set; NULL: none is */
    char *text;          /* the text of the options, into which `options` points */

    uint64_t maps; /* set by open; bit i: FvMetric.map wants map i of the descriptor, of every scored frame */

    /* Known from FvMetric.features on: */
    FvFormat ref, dis; /* when the session has no reference, ref is a copy of dis */
    bool has_reference;

    /* Known from FvMetric.init on: */
    const FvRun *feature[FV_MAX_WANTS]; /* the run of each want, after its init */
    int feature_count;

    /* For init, which may open outputs: the files that they must not replace, and requests to stop. */
    const struct FvGuard *guard;
    const FvCancel *cancel;
    bool overwrite; /* they may replace older files */

    /* Set by init: */
    uint64_t present;            /* bit i: output i of the descriptor exists in this run; default: all */
    const FvOutputInfo *outputs; /* replaces the descriptor's when outputs depend on options; all of them exist */
    int output_count;
    int shared; /* number of outputs at the end that have the names of metrics inside this one; each appears once in a
                   report */
    int ahead,
        behind;      /* the window: frames after and before the one that is scored which score looks at; default 0 */
    FvFileId folder; /* the metric writes its files here, and no other metric of the session may; unknown: none */
    double limit;    /* value of equal pictures in the outputs in dB; 0: infinite */
    FvBound bound;   /* bound of verdicts on its first output; default none */
    char warning[160]; /* set by init: why its scores mislead, and the remedy; empty: they do not */
    char remark[400];  /* set by init and `conclude`: what else readers of its scores should know; empty: nothing */
    char note[640];    /* decisions of init, for the report; empty: none */
    void *state;       /* belongs to the metric; close releases it */

    bool ready; /* init succeeded, and end was not called */
} FvMetricRun;

/* A tag of the videos: the distorted video's, or the reference's where that has none. */
#define FV_TAG_OF(run, member) ((run)->dis.member ? (run)->dis.member : (run)->ref.member)

/* The feature, and its map, that a map of the metric comes from. */
typedef struct FvMapOrigin {
    int want, map;
} FvMapOrigin;

/* The members for options of a metric, from the table that FV_OPTIONS made of its options struct. */
#define FV_METRIC_OPTIONS(name, Struct)                                                                              \
    .info.options = name##_info, .info.option_count = name##_count,                                                  \
    .options = {name##_info, name##_offset, name##_count}, .options_size = sizeof(Struct)

struct FvMetric {
    FvMetricInfo info;
    FvOptions options; /* the table of info.options, with offsets */
    size_t options_size;

    /* Reads the metric's files and makes the checks that need no formats, when the metric is added. May be NULL. */
    FvStatus (*open)(FvMetricRun *run, FvError *error);
    /* Returns whether these options make the metric compare with a reference; NULL: info.needs_reference decides. */
    bool (*needs_reference)(const FvMetricRun *run);
    /* The one feature that the metric wants; its options are the first ones in the metric's struct. NULL: see below.
     */
    const FvFeature *feature;
    /* Calls fv_want for every feature; NULL: the metric needs `feature` alone, or neither features nor pixels. */
    void (*features)(const FvMetricRun *run, FvWants *wants);
    /* Called after the features' init: chooses outputs and window. May be NULL. */
    FvStatus (*init)(FvMetricRun *run, FvError *error);
    /*
     * Computes values[i] for every per-frame output i from the rows of frames [frame - behind, frame + ahead], where
     * they exist. A pure function: the same rows give the same values at any time, on any machine and in any order of
     * calls.
     */
    FvStatus (*score)(const FvMetricRun *run, const FvRows *rows, int64_t frame, double *values, FvError *error);
    /* values[i] for every sequence output i, from all rows: frames [rows->first, rows->last]. May be NULL. */
    FvStatus (*pool)(const FvMetricRun *run, const FvRows *rows, double *values, FvError *error);
    /*
     * Writes one sentence, without a full stop, for readers of the scores of all rows; or nothing. A pure function of
     * the rows, as `pool`. May be NULL.
     */
    void (*conclude)(const FvMetricRun *run, const FvRows *rows, char *text, size_t size);
    const FvMapOrigin *maps; /* origin of every map in info.maps */
    /* Takes the maps that run->maps asks for, in order of frames. May be NULL. */
    FvStatus (*map)(FvMetricRun *run, const FvMap *map, FvError *error);
    /*
     * Called at most once, after init succeeded and after the last map. Completes the metric's files. When the
     * session failed or was stopped (`whole` is false), keeps the parts written so far and writes a sentence with
     * their place to `kept`. May be NULL.
     */
    FvStatus (*end)(FvMetricRun *run, bool whole, char *kept, size_t size, FvError *error);
    void (*close)(FvMetricRun *run); /* called after a failed open or init, too, with the state left; may be NULL */
};

/*
 * Opens a run of "name" or "name=option=value:option=value" and reads its files. A model that contains metrics opens
 * further runs. On failure there is nothing to close.
 */
FvStatus fv_metric_open(FvMetricRun *run, const char *text, FvError *error);

/* Opens an instance of a known metric. options: "option=value:option=value", or NULL. */
FvStatus fv_metric_open_as(FvMetricRun *run, const FvMetric *metric, const char *options, FvError *error);

void fv_metric_close(FvMetricRun *run);

/* Adds the features that the metric wants. */
void fv_metric_want(const FvMetricRun *run, FvWants *wants);

/* The features that the metric wants without options. The caller frees the list with fv_wants_free. */
FvStatus fv_metric_default_features(const FvMetric *metric, FvWants *wants, FvError *error);

bool fv_metric_needs_reference(const FvMetricRun *run);

/* Checks for RGB. FV_ERROR_USAGE: the frames of run->dis are RGB and the metric does not accept RGB. */
FvStatus fv_metric_check_rgb(const FvMetricRun *run, FvError *error);

/* The frame rate in frames a second; 0 when the videos do not state it. */
double fv_metric_rate(const FvMetricRun *run);

/* Implements fv_model_sets_option(). */
bool fv_metric_model_may_set(const FvMetric *metric, const char *option);

/* Finds a metric by name, or NULL. */
const FvMetric *fv_metric_find(const char *name);
const FvMetric *fv_metric_at(int i);

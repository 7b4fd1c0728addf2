/*
 * Metrics, under the names that users give. metric/<noun>.c defines one FvMetric, and registry.c lists it. A metric
 * names the features that it needs. Its scores are pure functions of the rows of the features' raw terms, so rows can
 * be stored, merged and scored again. Only features deal with stages and pixels.
 */
#pragma once

#include "device/feature.h"
#include "fovea/meaning.h"
#include "metric/rows.h"
#include "option/file.h"
#include "picture/region.h"

#define FV_MAX_METRICS 32 /* maximum number of metrics of one session */

typedef struct FvMetric FvMetric;

/* A metric instance: one metric with its options in one session. */
typedef struct FvMetricInstance {
    const FvMetric *metric;
    const void *options; /* the metric's options struct, filled from the options' text */
    /* [i]: the file of option i, if that is a path and is set; NULL: no option is a path that is set. */
    FvOptionFile *files;
    char *text; /* the options' text, into which `options` points */

    uint64_t maps; /* set by open; bit i: FvMetric.map needs map i of the descriptor, of every scored frame */

    /* Valid from FvMetric.features on: */
    FvFormat ref, dis; /* formats of the videos; ref is a copy of dis if the session has no reference */
    bool has_reference;

    /* Valid from FvMetric.init on: */
    const FvFeatureInstance
        *feature[FV_MAX_WANTS]; /* the instance of each requested feature, after the feature's init */
    int feature_count;

    /* For init, which may open outputs: the files that outputs must not replace, and a request to stop. */
    const struct FvGuard *guard;
    const FvCancel *cancel;
    bool overwrite; /* outputs may replace existing files */

    /* Set by init: */
    uint64_t present; /* bit i: output i of the descriptor exists in this instance; default: all */
    /* Replaces the descriptor's outputs if outputs depend on options; all of them exist. */
    const FvOutputInfo *outputs;
    int output_count;
    /*
     * Number of outputs, the last ones, that belong to metrics inside this one. A report shows each of them only
     * once.
     */
    int shared;
    int ahead, behind;  /* window of `score`: how many frames after and before the scored one it reads; default 0 */
    FvFileId folder;    /* folder to which the metric writes, and no other metric of the session may; unknown: none */
    double limit;       /* value in dB of equal frames, for outputs in decibels; 0: infinite */
    FvGradeBound bound; /* bound for verdicts on the first output; default: none */
    char warning[160];  /* set by init: why the scores are misleading, and a remedy; empty: they are not */
    char remark[400];   /* set by init and `conclude`: other facts that readers of the scores need; empty: none */
    char note[640];     /* decisions of init, for the report; empty: none */
    void *state;        /* the metric's own state, which `close` releases */

    bool ready; /* init has succeeded, and `end` has not been called */
} FvMetricInstance;

/* A tag of the videos: the distorted video's tag, or, if it has none, the reference's. */
#define FV_TAG_OF(run, member) ((run)->dis.member ? (run)->dis.member : (run)->ref.member)

/* The origin of a metric's map: the requested feature (by index) and its map. */
typedef struct FvMapOrigin {
    int want, map;
} FvMapOrigin;

/* The members of FvMetric for options, from the table that FV_OPTIONS made of the options struct. */
#define FV_METRIC_OPTIONS(name, Struct)                                                                              \
    .info.options = name##_info, .info.option_count = name##_count,                                                  \
    .options = {name##_info, name##_offset, name##_count}, .options_size = sizeof(Struct)

struct FvMetric {
    FvMetricInfo info;
    FvOptions options; /* the table of info.options with the members' offsets */
    size_t options_size;

    /* Called when the metric is added: reads its files and checks what does not depend on formats. May be NULL. */
    FvStatus (*open)(FvMetricInstance *run, FvError *error);
    /*
     * Returns whether the metric compares with a reference under these options; NULL: info.needs_reference decides.
     */
    bool (*needs_reference)(const FvMetricInstance *run);
    /*
     * The only feature that the metric needs. The feature's options are the first members of the metric's struct.
     * NULL: see `features`.
     */
    const FvFeature *feature;
    /* Calls fv_want() for every feature; NULL: the metric needs `feature` alone, or, if that is NULL, no features. */
    void (*features)(const FvMetricInstance *run, FvWants *wants);
    /* Called after the features' init: sets outputs and window. May be NULL. */
    FvStatus (*init)(FvMetricInstance *run, FvError *error);
    /*
     * Computes values[i] for every per-frame output i from the rows of frames [frame - behind, frame + ahead], where
     * they exist. A pure function: the same rows give the same values at any time, on any machine and in any order of
     * calls.
     */
    FvStatus (*score)(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error);
    /* Computes values[i] for every sequence output i from all rows, frames [rows->first, rows->last]. May be NULL. */
    FvStatus (*pool)(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error);
    /*
     * Writes a sentence without its full stop about the scores of all rows, or "". A pure function of the rows, like
     * `pool`. May be NULL.
     */
    void (*conclude)(const FvMetricInstance *run, const FvRows *rows, char *text, size_t size);
    const FvMapOrigin *maps; /* origin of every map in info.maps */
    /* Receives the maps that run->maps requests, in order of frames. May be NULL. */
    FvStatus (*map)(FvMetricInstance *run, const FvMap *map, FvError *error);
    /*
     * Called at most once, after init has succeeded and after the last map. Completes the metric's files. If the
     * session failed or was stopped (`whole` is false), keeps the parts written so far and writes a sentence with
     * their place to `kept`. May be NULL.
     */
    FvStatus (*end)(FvMetricInstance *run, bool whole, char *kept, size_t size, FvError *error);
    void (*close)(
        FvMetricInstance *run); /* Releases `state`; also called after a failed open or init. May be NULL. */
};

/*
 * Opens an instance of "name" or "name=option=value:option=value" and reads its files. A model that contains metrics
 * opens further instances. On failure there is nothing to close.
 */
FvStatus fv_metric_open(FvMetricInstance *run, const char *text, FvError *error);

/* Opens an instance of a known metric. options: "option=value:option=value", or NULL. */
FvStatus fv_metric_open_as(FvMetricInstance *run, const FvMetric *metric, const char *options, FvError *error);

/* An option that is either `unset` or at least `least`. */
typedef struct FvLeast {
    const char *name;
    double value, unset, least;
} FvLeast;

/* Checks options of an instance. FV_ERROR_USAGE: one is too small. */
FvStatus fv_metric_check_least(const FvMetricInstance *run, const FvLeast *rows, size_t count, FvError *error);

void fv_metric_close(FvMetricInstance *run);

/* Adds the features that the metric needs to `wants`. */
void fv_metric_want(const FvMetricInstance *run, FvWants *wants);

/* Lists the features that the metric needs with default options. Free the list with fv_wants_free(). */
FvStatus fv_metric_default_features(const FvMetric *metric, FvWants *wants, FvError *error);

bool fv_metric_needs_reference(const FvMetricInstance *run);

/*
 * FV_ERROR_USAGE if the frames of run->dis are RGB and the metric does not accept RGB. pushed: the caller makes the
 * frames, and the remedy is to make others.
 */
FvStatus fv_metric_check_rgb(const FvMetricInstance *run, bool pushed, FvError *error);

/* Returns the frame rate in frames per second; 0 if the videos do not state it. */
double fv_metric_rate(const FvMetricInstance *run);

/* Implements fv_model_may_set_option(). */
bool fv_metric_model_may_set(const FvMetric *metric, const char *option);

/* Returns the metric with this name, or NULL. */
const FvMetric *fv_metric_find(const char *name);
const FvMetric *fv_metric_at(int i);

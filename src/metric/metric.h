/*
 * Metrics: what users name. metric/<noun>.c defines one FvMetric and registry.c lists it. A metric says which
 * features it wants; its scores are pure functions over rows of their raw terms, so that rows can be kept, merged and
 * scored again. It has no stages and sees no pixels.
 */
#ifndef FV_METRIC_H
#define FV_METRIC_H

#include "device/feature.h"
#include "metric/rows.h"
#include "option/file.h"

#define FV_MAX_METRICS 32 /* in one session */

typedef struct FvMetric FvMetric;

/* One metric in one session. */
typedef struct FvMetricRun {
    const FvMetric *metric;
    const void *options; /* the metric's options struct, parsed */
    FvOptionFile *files; /* [i]: of option i when it is a path that is set; NULL: none is */
    char *text;          /* what the options were parsed from and point into */

    uint64_t maps; /* open decides; bit i: FvMetric.map wants map i of the descriptor, of every scored frame */

    /* Known from FvMetric.features on: */
    FvFormat ref, dis; /* when the session has no reference, ref is a copy of dis */
    bool has_reference;

    /* Known from FvMetric.init on: */
    const FvRun *feature[FV_MAX_WANTS]; /* of each want, after its init */
    int feature_count;

    /* For init, which may open outputs: what they may not replace, and requests to stop. */
    const struct FvGuard *guard;
    const FvCancel *cancel;

    /* init decides: */
    uint64_t present;            /* bit i: output i of the descriptor exists in this run; default: all */
    const FvOutputInfo *outputs; /* instead of the descriptor's when they depend on options; all of them exist */
    int output_count;
    int shared; /* how many of the last ones are of metrics inside this one and named so: each stands once in a report
                 */
    int ahead,
        behind;      /* the window: frames after and before the one that is scored which score looks at; default 0 */
    FvFileId folder; /* that it writes files to, which no other metric of the session may; unknown: none */
    char note[640];  /* decisions that init took and the report states; empty: none */
    void *state;     /* the metric's own, released by close */

    bool ready; /* init succeeded, and end was not called */
} FvMetricRun;

/* A tag of the videos: the distorted video's, or the reference's where that has none. */
#define FV_TAG_OF(run, member) ((run)->dis.member ? (run)->dis.member : (run)->ref.member)

/* Which map of which feature a map of the metric is. */
typedef struct FvMapOrigin {
    int want, map;
} FvMapOrigin;

struct FvMetric {
    FvMetricInfo info;
    FvOptions options; /* the same table as info.options, with places */
    size_t options_size;

    /* When the metric is added: reads its files, checks what needs no formats. May be NULL. */
    FvStatus (*open)(FvMetricRun *run, FvError *error);
    /* Whether these options make the metric compare with a reference; NULL: info.needs_reference says it. */
    bool (*needs_reference)(const FvMetricRun *run);
    /* Calls fv_want for every feature; NULL: it needs none, and no pixels. */
    void (*features)(const FvMetricRun *run, FvWants *wants);
    /* After the features' init: chooses outputs and window. May be NULL. */
    FvStatus (*init)(FvMetricRun *run, FvError *error);
    /*
     * values[i] for every per-frame output i from the rows of frames [frame - behind, frame + ahead], where they
     * exist. A pure function: the same rows give the same values whenever, wherever and in whatever order it is
     * asked.
     */
    FvStatus (*score)(const FvMetricRun *run, const FvRows *rows, int64_t frame, double *values, FvError *error);
    /* values[i] for every sequence output i, from all rows: frames [rows->first, rows->last]. May be NULL. */
    FvStatus (*pool)(const FvMetricRun *run, const FvRows *rows, double *values, FvError *error);
    const FvMapOrigin *maps; /* of every map in info.maps */
    /* Takes the maps that run->maps asks for, in order of frames. May be NULL. */
    FvStatus (*map)(FvMetricRun *run, const FvMap *map, FvError *error);
    /*
     * Called at most once, after init succeeded: no further map comes. What the metric writes is whole, or, when the
     * session failed or was stopped, what there is of it is kept; `kept` then says where in a sentence. May be NULL.
     */
    FvStatus (*end)(FvMetricRun *run, bool whole, char *kept, size_t size, FvError *error);
    void (*close)(FvMetricRun *run); /* also after a failed open or init, with the state it left; may be NULL */
};

/*
 * A run of "name" or "name=option=value:option=value" with its files read, opened. A model that contains metrics
 * makes runs of its own. On failure there is nothing to close.
 */
FvStatus fv_metric_open(FvMetricRun *run, const char *text, FvError *error);

/* The same for a metric that is known already. options: "option=value:option=value", or NULL. */
FvStatus fv_metric_open_as(FvMetricRun *run, const FvMetric *metric, const char *options, FvError *error);

void fv_metric_close(FvMetricRun *run);

/* What the metric wants without options. The caller frees the list with fv_wants_free. */
FvStatus fv_metric_default_features(const FvMetric *metric, FvWants *wants, FvError *error);

bool fv_metric_needs_reference(const FvMetricRun *run);

/* Frames a second; 0 when the videos do not say. */
double fv_metric_rate(const FvMetricRun *run);

/* By name, or NULL. */
const FvMetric *fv_metric_find(const char *name);
const FvMetric *fv_metric_at(int i);

#endif

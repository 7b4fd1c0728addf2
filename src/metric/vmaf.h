/* VMAF as a metric: a model, and the metrics whose scores are the model's features. */
#pragma once

#include "metric/metric.h"
#include "model/model.h"

typedef struct FvVmafOptions {
    const char *version, *path, *name, *overload;
    bool disable_clip, enable_transform, allow_hdr;
} FvVmafOptions;

/* A metric that computes features of the model, with the options that the model sets. */
typedef struct FvVmafPart {
    FvMetricInstance run;
    char options[1024]; /* the text of the options */
    int want;           /* index of its first feature among all features of the model */
} FvVmafPart;

typedef struct FvVmafParts {
    FvVmafPart part[FV_MODEL_FEATURES];
    int count;
    int of[FV_MODEL_FEATURES];     /* part that computes each feature of the model */
    int output[FV_MODEL_FEATURES]; /* output of that part for each feature of the model */
} FvVmafParts;

/*
 * Opens the metrics of a model. overload: NULL, or options in libvmaf's syntax,
 * "adm.adm_enhn_gain_limit=1:vif.option=2". depth: that of the videos, or 0 while it is unknown.
 */
FvStatus fv_vmaf_parts_open(FvVmafParts *parts, const FvModel *model, const char *overload, int depth,
                            FvError *error);
void fv_vmaf_parts_close(FvVmafParts *parts);

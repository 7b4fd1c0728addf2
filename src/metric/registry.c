/* The list of metrics, in alphabetical order, and opening them by name. meson.build has the list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/metric.h"

#define MOST_NAME 64 /* characters of a metric's name */

#define METRIC(name) extern const FvMetric fv_metric_##name;
#include "metric_list.h"
#undef METRIC
#define METRIC(name) &fv_metric_##name,

static const FvMetric *const metrics[] = {
#include "metric_list.h"
};

int fv_metric_count(void)
{
    return sizeof metrics / sizeof *metrics;
}

const FvMetric *fv_metric_at(int i)
{
    return i >= 0 && i < fv_metric_count() ? metrics[i] : NULL;
}

const FvMetric *fv_metric_find(const char *name)
{
    for (int i = 0; i < fv_metric_count(); i++)
        if (!strcmp(metrics[i]->info.name, name))
            return metrics[i];
    return NULL;
}

const FvMetricInfo *fv_metric_info(int i)
{
    const FvMetric *metric = fv_metric_at(i);
    return metric ? &metric->info : NULL;
}

bool fv_model_sets_option(const char *metric, const char *option)
{
    const FvMetric *found = metric && option ? fv_metric_find(metric) : NULL;
    return !found || fv_metric_model_may_set(found, option);
}

static FvStatus unknown_metric(const char *name, FvError *error)
{
    if (strlen(name) > MOST_NAME)
        return fv_fail(error, FV_ERROR_USAGE,
                       "'%.40s...' is too long for the name of a metric; 'fovea metrics' lists them", name);
    const char *names[FV_MAX_METRICS];
    int count = fv_metric_count() < FV_MAX_METRICS ? fv_metric_count() : FV_MAX_METRICS;
    for (int i = 0; i < count; i++)
        names[i] = fv_metric_info(i)->name;
    char whole[MOST_NAME + 8]; /* "ssim" is float_ssim before all other names that it is a part of */
    snprintf(whole, sizeof whole, "float_%s", name);
    const FvMetric *meant = fv_metric_find(whole);
    const char *near = meant ? meant->info.name : fv_nearest(name, names, count);
    return fv_fail(error, FV_ERROR_USAGE, "unknown metric '%s'; %s%s%s'fovea metrics' lists them", name,
                   near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

FvStatus fv_metric_open(FvMetricRun *run, const char *text, FvError *error)
{
    size_t length = strcspn(text, "=");
    char *name = strndup(text, length);
    if (!name)
        return fv_fail_memory(error, length + 1);
    const FvMetric *metric = fv_metric_find(name);
    FvStatus status = metric ? fv_metric_open_as(run, metric, text[length] ? text + length + 1 : NULL, error)
                             : unknown_metric(name, error);
    free(name);
    return status;
}

FvStatus fv_metric_default_features(const FvMetric *metric, FvWants *wants, FvError *error)
{
    FvMetricRun run;
    FvStatus status = fv_metric_open(&run, metric->info.name, error);
    if (status)
        return status;
    run.dis = run.ref = (FvFormat){.width = 352, .height = 288, .chroma = FV_CHROMA_420, .depth = 8};
    run.has_reference = true;
    fv_metric_want(&run, wants);
    fv_metric_close(&run);
    return wants->failed ? fv_fail_memory(error, sizeof *wants) : FV_OK;
}

/*
 * The list of metrics in alphabetical order, and functions that open metrics by name. The build generates
 * metric_list.h from the list in meson.build.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/metric.h"

#define MOST_NAME 64 /* maximum characters of a metric's name */

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

bool fv_model_may_set_option(const char *metric, const char *option)
{
    const FvMetric *found = metric && option ? fv_metric_find(metric) : NULL;
    return !found || fv_metric_model_may_set(found, option);
}

/* Names that other programs use for metrics. */
static const struct {
    const char *name, *metric;
} elsewhere[] = {{"ms-ssim", "float_ms_ssim"},
                 {"msssim", "float_ms_ssim"},
                 {"vmaf_neg", "vmaf=version=vmaf_v0.6.1neg"},
                 {"vmaf-neg", "vmaf=version=vmaf_v0.6.1neg"},
                 {"vmafneg", "vmaf=version=vmaf_v0.6.1neg"},
                 {"vmaf_4k", "vmaf=version=vmaf_4k_v0.6.1"},
                 {"psnrhvs", "psnr_hvs"},
                 {"psnr-hvs", "psnr_hvs"},
                 {"ciede2000", "ciede"},
                 {"deltaE2000", "ciede"},
                 {"ssimu2", "ssimulacra2"},
                 {"ssimulacra", "ssimulacra2"},
                 {"butter", "butteraugli"},
                 {"3norm", "butteraugli"},
                 {"colorvideovdp", "cvvdp"},
                 {"itp", "delta_e_itp"},
                 {"deltaITP", "delta_e_itp"}};

static FvStatus unknown_metric(const char *name, FvError *error)
{
    if (strlen(name) > MOST_NAME)
        return fv_fail(error, FV_ERROR_USAGE,
                       "'%.40s...' is too long for the name of a metric; 'fovea metrics' lists them", name);
    if (!strcmp(name, "all"))
        return fv_fail(error, FV_ERROR_USAGE,
                       "there is no word for all metrics: name those that count, as in 'psnr,vmaf'; 'fovea metrics' "
                       "lists them");
    enum { ELSEWHERE = sizeof elsewhere / sizeof *elsewhere };
    const char *names[2 * FV_MAX_METRICS + ELSEWHERE], *meant[2 * FV_MAX_METRICS + ELSEWHERE], *near;
    char model[MOST_NAME + 16];
    int count = 0;
    for (int i = 0; i < fv_metric_count() && i < FV_MAX_METRICS; i++) {
        const char *own = fv_metric_info(i)->name;
        names[count] = own;
        meant[count++] = own;
        if (strncmp(own, "float_", 6) != 0)
            continue;
        names[count] = own + 6;
        meant[count++] = own;
    }
    for (int i = 0; i < ELSEWHERE; i++) {
        names[count] = elsewhere[i].name;
        meant[count++] = elsewhere[i].metric;
    }
    if (!strncmp(name, "vmaf_v", 6) || !strncmp(name, "vmaf_4k_v", 9) || !strncmp(name, "vmaf_b_v", 8)) {
        snprintf(model, sizeof model, "vmaf=version=%s", name);
        near = model;
    } else {
        near = fv_nearest(name, names, count);
        for (int i = 0; i < count && near; i++)
            if (near == names[i]) {
                near = meant[i];
                break;
            }
    }
    return fv_fail(error, FV_FAIL_METRIC, "unknown metric '%s'; %s%s%s'fovea metrics' lists them", name,
                   near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

FvStatus fv_metric_open(FvMetricInstance *run, const char *text, FvError *error)
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
    FvMetricInstance run;
    FvStatus status = fv_metric_open(&run, metric->info.name, error);
    if (status)
        return status;
    run.dis = run.ref = (FvFormat){.width = 352, .height = 288, .chroma = FV_CHROMA_420, .depth = 8};
    run.has_reference = true;
    fv_metric_want(&run, wants);
    fv_metric_close(&run);
    return wants->failed ? fv_fail_memory(error, sizeof *wants) : FV_OK;
}

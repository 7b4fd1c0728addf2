/* The list of metrics, in alphabetical order, and opening them by name. A new metric adds one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/metric.h"

#define MOST_NAME 64 /* characters of a metric's name */

extern const FvMetric fv_metric_adm;
extern const FvMetric fv_metric_black;
extern const FvMetric fv_metric_butteraugli;
extern const FvMetric fv_metric_cambi;
extern const FvMetric fv_metric_ciede;
extern const FvMetric fv_metric_cvvdp;
extern const FvMetric fv_metric_flash;
extern const FvMetric fv_metric_float_ms_ssim;
extern const FvMetric fv_metric_float_ssim;
extern const FvMetric fv_metric_freeze;
extern const FvMetric fv_metric_levels;
extern const FvMetric fv_metric_peaks;
extern const FvMetric fv_metric_motion;
extern const FvMetric fv_metric_psnr;
extern const FvMetric fv_metric_psnr_hvs;
extern const FvMetric fv_metric_pu_psnr;
extern const FvMetric fv_metric_pu_ssim;
extern const FvMetric fv_metric_scan;
extern const FvMetric fv_metric_siti;
extern const FvMetric fv_metric_speed_chroma;
extern const FvMetric fv_metric_speed_temporal;
extern const FvMetric fv_metric_ssimulacra2;
extern const FvMetric fv_metric_texture;
extern const FvMetric fv_metric_vdm;
extern const FvMetric fv_metric_vif;
extern const FvMetric fv_metric_vmaf;
extern const FvMetric fv_metric_xpsnr;

/* clang-format off */
static const FvMetric *const metrics[] = {
    &fv_metric_adm,
    &fv_metric_black,
    &fv_metric_butteraugli,
    &fv_metric_cambi,
    &fv_metric_ciede,
    &fv_metric_cvvdp,
    &fv_metric_flash,
    &fv_metric_float_ms_ssim,
    &fv_metric_float_ssim,
    &fv_metric_freeze,
    &fv_metric_levels,
    &fv_metric_peaks,
    &fv_metric_motion,
    &fv_metric_psnr,
    &fv_metric_psnr_hvs,
    &fv_metric_pu_psnr,
    &fv_metric_pu_ssim,
    &fv_metric_scan,
    &fv_metric_siti,
    &fv_metric_speed_chroma,
    &fv_metric_speed_temporal,
    &fv_metric_ssimulacra2,
    &fv_metric_texture,
    &fv_metric_vdm,
    &fv_metric_vif,
    &fv_metric_vmaf,
    &fv_metric_xpsnr,
};
/* clang-format on */

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

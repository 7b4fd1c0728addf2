/* The list of metrics, in alphabetical order. A new metric adds one line. */
#include <string.h>

#include "metric/metric.h"

extern const FvMetric fv_metric_adm;
extern const FvMetric fv_metric_butteraugli;
extern const FvMetric fv_metric_cambi;
extern const FvMetric fv_metric_ciede;
extern const FvMetric fv_metric_cvvdp;
extern const FvMetric fv_metric_float_ms_ssim;
extern const FvMetric fv_metric_float_ssim;
extern const FvMetric fv_metric_motion;
extern const FvMetric fv_metric_psnr;
extern const FvMetric fv_metric_psnr_hvs;
extern const FvMetric fv_metric_pu_psnr;
extern const FvMetric fv_metric_pu_ssim;
extern const FvMetric fv_metric_speed_chroma;
extern const FvMetric fv_metric_speed_temporal;
extern const FvMetric fv_metric_ssimulacra2;
extern const FvMetric fv_metric_vdm;
extern const FvMetric fv_metric_vif;
extern const FvMetric fv_metric_vmaf;
extern const FvMetric fv_metric_xpsnr;

/* clang-format off */
static const FvMetric *const metrics[] = {
    &fv_metric_adm,
    &fv_metric_butteraugli,
    &fv_metric_cambi,
    &fv_metric_ciede,
    &fv_metric_cvvdp,
    &fv_metric_float_ms_ssim,
    &fv_metric_float_ssim,
    &fv_metric_motion,
    &fv_metric_psnr,
    &fv_metric_psnr_hvs,
    &fv_metric_pu_psnr,
    &fv_metric_pu_ssim,
    &fv_metric_speed_chroma,
    &fv_metric_speed_temporal,
    &fv_metric_ssimulacra2,
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

bool fv_model_sets_option(const char *metric, const char *option)
{
    const FvMetric *found = metric && option ? fv_metric_find(metric) : NULL;
    for (int i = 0; found && i < found->options.count; i++) {
        const FvOptionInfo *info = &found->options.info[i];
        if (!strcmp(info->name, option))
            return info->type != FV_OPTION_PATH && (info->type != FV_OPTION_TEXT || info->choices);
    }
    return true;
}

const FvMetricInfo *fv_metric_info(int i)
{
    const FvMetric *metric = fv_metric_at(i);
    return metric ? &metric->info : NULL;
}

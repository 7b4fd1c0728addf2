/* Opens metrics with their options, and reads the files that the options name. */
#include "metric/metric.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/region.h"
#include "os/memory.h"

static FvStatus parse_options(FvMetricInstance *run, FvError *error)
{
    const FvMetric *metric = run->metric;
    void *options = fv_alloc_zero(metric->options_size);
    run->options = options;
    if (!options)
        return fv_fail_memory(error, metric->options_size);
    fv_options_default(options, &metric->options);
    return fv_options_parse(options, &metric->options, metric->info.name, run->text, error);
}

static FvStatus read_files(FvMetricInstance *run, FvError *error)
{
    const FvOptions *table = &run->metric->options;
    const FvRegionOptions *region = fv_region_among(run->options, table);
    FvStatus status = FV_OK;
    for (int i = 0; i < table->count && !status; i++) {
        const char *path = fv_option_path(run->options, table, i);
        if (path && !run->files && !(run->files = calloc((size_t)table->count, sizeof *run->files)))
            return fv_fail_memory(error, (size_t)table->count * sizeof *run->files);
        if (path) /* a mask may be a long video, which is not read here */
            status = (region && path == region->path ? fv_option_file_hash : fv_option_file_read)(
                &run->files[i], run->metric->info.name, path, error);
    }
    return status;
}

static FvStatus read_region(FvMetricInstance *run, FvError *error)
{
    FvRegionOptions *region = fv_region_among(run->options, &run->metric->options);
    return region ? fv_region_read(region, run->metric->info.name, error) : FV_OK;
}

FvStatus fv_metric_open_as(FvMetricInstance *run, const FvMetric *metric, const char *options, FvError *error)
{
    options = options ? options : "";
    *run = (FvMetricInstance){.metric = metric,
                              .present = UINT64_MAX,
                              .outputs = metric->info.outputs,
                              .output_count = metric->info.output_count,
                              .text = strdup(options)};
    FvStatus status = run->text ? parse_options(run, error) : fv_fail_memory(error, strlen(options) + 1);
    if (!status)
        status = read_files(run, error);
    if (!status)
        status = read_region(run, error);
    if (!status && metric->open)
        status = metric->open(run, error);
    if (status)
        fv_metric_close(run);
    return status;
}

FvStatus fv_metric_check_least(const FvMetricInstance *run, const FvLeast *rows, size_t count, FvError *error)
{
    for (const FvLeast *row = rows; row < rows + count; row++)
        if (row->value != row->unset && !(row->value >= row->least))
            return fv_fail(error, FV_ERROR_USAGE, "%s: %s=%g is too small; use %g or more, or %g for the default",
                           run->metric->info.name, row->name, row->value, row->least, row->unset);
    return FV_OK;
}

void fv_metric_close(FvMetricInstance *run)
{
    if (run->metric && run->metric->close)
        run->metric->close(run);
    for (int i = 0; run->files && i < run->metric->options.count; i++)
        free(run->files[i].content.bytes);
    free(run->files);
    if (run->options)
        fv_region_free(fv_region_among(run->options, &run->metric->options));
    fv_free((void *)run->options);
    free(run->text);
    *run = (FvMetricInstance){0};
}

void fv_metric_want(const FvMetricInstance *run, FvWants *wants)
{
    if (run->metric->features)
        run->metric->features(run, wants);
    else if (run->metric->feature)
        fv_want(wants, run->metric->feature, run->options);
}

FvStatus fv_metric_check_rgb(const FvMetricInstance *run, bool pushed, FvError *error)
{
    return run->dis.chroma != FV_CHROMA_RGB || run->metric->info.takes_rgb
               ? FV_OK
               : fv_fail(error, FV_ERROR_USAGE, "%s takes Y'CbCr, and the frames are RGB: %s", run->metric->info.name,
                         pushed ? "make them with Frame.from_rgb(), or fv_frame_set_ycbcr(), which add Y'CbCr"
                                : "convert them with `convert=rgb`");
}

bool fv_metric_needs_reference(const FvMetricInstance *run)
{
    return run->metric->needs_reference ? run->metric->needs_reference(run) : run->metric->info.needs_reference;
}

double fv_metric_rate(const FvMetricInstance *run)
{
    const FvFormat *format = run->dis.rate_den ? &run->dis : &run->ref;
    return format->rate_den ? (double)format->rate_num / format->rate_den : 0;
}

bool fv_metric_model_may_set(const FvMetric *metric, const char *option)
{
    for (int i = 0; i < metric->options.count; i++) {
        const FvOptionInfo *info = &metric->options.info[i];
        if (!strcmp(info->name, option))
            return info->type != FV_OPTION_PATH && (info->type != FV_OPTION_TEXT || info->choices);
    }
    return true;
}

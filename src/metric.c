/* What all metrics have in common: being opened from text, with the files that they name. */
#include "metric.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "mem.h"

static FvStatus unknown_metric(const char *name, FvError *error)
{
    const char *names[FV_MAX_METRICS];
    int count = fv_metric_count() < FV_MAX_METRICS ? fv_metric_count() : FV_MAX_METRICS;
    for (int i = 0; i < count; i++)
        names[i] = fv_metric_info(i)->name;
    const char *near = fv_nearest(name, names, count);
    return fv_fail(error, FV_ERROR_USAGE, "unknown metric '%s'; %s%s%s 'fovea metrics' lists them", name,
                   near ? "did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static FvStatus parse(FvMetricRun *run, char *options_text, FvError *error)
{
    const FvMetric *metric = run->metric;
    void *options = fv_alloc_zero(metric->options_size);
    run->options = options;
    if (!options)
        return fv_fail_memory(error, metric->options_size);
    fv_options_default(options, &metric->options);
    return fv_options_parse(options, &metric->options, metric->info.name, options_text, error);
}

FvStatus fv_metric_open(FvMetricRun *run, const char *text, FvError *error)
{
    *run = (FvMetricRun){.present = UINT64_MAX, .text = strdup(text)};
    if (!run->text)
        return fv_fail_memory(error, strlen(text) + 1);
    char *options_text = strchr(run->text, '=');
    if (options_text)
        *options_text++ = '\0';
    run->metric = fv_metric_find(run->text);
    FvStatus status = run->metric ? parse(run, options_text, error) : unknown_metric(run->text, error);
    if (!status) {
        run->outputs = run->metric->info.outputs;
        run->output_count = run->metric->info.output_count;
    }
    if (!status && run->metric->open)
        status = run->metric->open(run, error);
    if (status)
        fv_metric_close(run);
    return status;
}

void fv_metric_close(FvMetricRun *run)
{
    if (run->metric && run->metric->close)
        run->metric->close(run);
    free((void *)run->options);
    free(run->text);
    *run = (FvMetricRun){0};
}

FvStatus fv_metric_default_features(const FvMetric *metric, FvWants *wants, FvError *error)
{
    FvMetricRun run;
    FvStatus status = fv_metric_open(&run, metric->info.name, error);
    if (status)
        return status;
    run.dis = run.ref = (FvFormat){.width = 352, .height = 288, .chroma = FV_CHROMA_420, .depth = 8};
    run.has_reference = true;
    if (metric->features)
        metric->features(&run, wants);
    fv_metric_close(&run);
    return wants->failed ? fv_fail_memory(error, sizeof *wants) : FV_OK;
}

bool fv_metric_needs_reference(const FvMetricRun *run)
{
    return run->metric->needs_reference ? run->metric->needs_reference(run) : run->metric->info.needs_reference;
}

#include "scoring/choice.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "metric_text.h"
#include "option_text.h"

FvStatus choice_add(FvSession *session, const Options *options)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int i = 0; i < options->metrics.count && !status; i++)
        status = fv_run_add(session, &options->run, options->metrics.items[i], &error);
    if (!status && (options->run.model_count || (options->run.roi && !options->metrics.count)))
        status = fv_run_add(session, &options->run, NULL, &error);
    return report_error_if(status, &error);
}

FvStatus choice_allows_no_reference(const FvSession *session)
{
    if (!fv_session_needs_reference(session))
        return FV_OK;
    char list[256] = "";
    for (int i = 0; i < fv_metric_count(); i++)
        if (!fv_metric_info(i)->needs_reference)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                     fv_metric_info(i)->name);
    return report_error(FV_FAIL_MISSING_VIDEO, "a metric needs the reference: add -r FILE%s%s",
                        *list ? ", or choose a metric that works without one: " : "", list);
}

static bool takes_rgb(const char *name, size_t length)
{
    const FvMetricInfo *info = fv_metric_named(name, length);
    return info && info->takes_rgb;
}

void choice_count(const Options *options, bool pictures, int *metrics, int *taking)
{
    *metrics = options->run.model_count;
    *taking = 0;
    for (int i = 0; i < options->metrics.count; i++)
        for (const char *at = options->metrics.items[i]; *at; at += *at == ',') {
            ++*metrics;
            *taking += takes_rgb(at, strcspn(at, "=,"));
            at += fv_option_span(at, ",");
        }
    if (!*metrics || (options->draws_ycbcr && pictures)) { /* some take RGB, some do not */
        *metrics = 2;
        *taking = 1;
    }
}

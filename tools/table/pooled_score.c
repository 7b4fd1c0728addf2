#include "table/pooled_score.h"

#include <stdio.h>
#include <string.h>

#include "cli/args.h"

FvStatus pick_pool(FvPool *pool, const char *name, const char *option, const char *text)
{
    const char *names[FV_POOL_COUNT];
    char list[256] = "", hint[128];
    for (int i = 0; i < FV_POOL_COUNT; i++) {
        names[i] = fv_pool_name(i);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
        if (!strcmp(name, names[i])) {
            *pool = i;
            return FV_OK;
        }
    }
    return report_error(FV_ERROR_USAGE, "%s %s: unknown pooling '%s'; choose one of %s%s", option, text, name, list,
                        arg_suggest(hint, sizeof hint, name, names, FV_POOL_COUNT));
}

FvStatus pick_output(int *output, const FvSession *session, const char *name, FvPool pool, const char *option,
                     const char *text)
{
    const char *names[256];
    char list[512] = "", hint[128];
    int count = 0, parts = 0;
    *output = fv_session_find_output(session, name);
    const FvOutputInfo *found = fv_session_output(session, *output);
    if (found && found->sequence && pool != FV_POOL_MEAN)
        return report_error(FV_ERROR_USAGE, "%s %s: %s is one value for the whole clip; leave out the pooling",
                            option, text, name);
    if (found)
        return FV_OK;
    for (int i = 0; i < fv_session_outputs(session); i++) {
        const FvOutputInfo *info = fv_session_output(session, i);
        if (count < 255)
            names[count++] = info->name;
        if (fv_session_display(session, i) == FV_DISPLAY_PART)
            parts++;
        else
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", info->name);
    }
    names[count++] = fv_session_output(session, FV_LOW_SECONDS)->name;
    arg_suggest(hint, sizeof hint, name, names, count);
    return report_error(FV_FAIL_SCORE, "%s %s: this run has no score '%s'%s; it has %s%s", option, text, name, hint,
                        list, parts ? ", and parts of metrics that --details lists" : "");
}

double pick_value(const FvSession *session, int output, FvPool pool)
{
    if (output == FV_LOW_SECONDS) {
        double seconds;
        fv_session_gate(session, &(FvGate){.output = output, .above = true}, &seconds);
        return seconds;
    }
    return fv_session_output(session, output)->sequence ? fv_session_value(session, 0, output)
                                                        : fv_session_pool(session, output, pool);
}

void pick_write_pools(FvJson *json, const FvSession *session, int output)
{
    const bool sequence = fv_session_output(session, output)->sequence;
    for (int pool = 0; pool < FV_POOL_COUNT && (!sequence || pool == FV_POOL_MEAN); pool++)
        fv_json_real(json, fv_pool_name((FvPool)pool), pick_value(session, output, (FvPool)pool));
}

bool pick_better(const char *score, FvBetter *better)
{
    *better = !strcmp(score, "low_seconds") ? FV_LOWER_IS_BETTER : FV_HIGHER_IS_BETTER;
    if (*better == FV_LOWER_IS_BETTER)
        return true;
    for (int m = 0; m < fv_metric_count(); m++) {
        const FvMetricInfo *metric = fv_metric_info(m);
        for (int i = 0; i < metric->output_count; i++)
            if (!strcmp(metric->outputs[i].name, score)) {
                *better = metric->outputs[i].better;
                return true;
            }
    }
    return false;
}

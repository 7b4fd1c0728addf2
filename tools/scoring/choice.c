#include "scoring/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"

/* The length of a metric with its options: up to a comma that is neither escaped nor quoted. */
static size_t item_span(const char *text)
{
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || text[i] != ','); i++) {
        if (text[i] == '\'')
            quoted = !quoted;
        else if (text[i] == '\\' && !quoted && text[i + 1])
            i++;
    }
    return i;
}

/* Adds a list of metrics, with allow_hdr for each VMAF in it. */
static FvStatus add_for_hdr(FvSession *session, const char *list, FvError *error)
{
    static const char option[] = "allow_hdr=true";
    const size_t most = (strlen(list) + 1) * (sizeof option + 2);
    char *text = malloc(most);
    size_t used = 0;
    if (!text) {
        *error = (FvError){.status = FV_ERROR_MEMORY, .message = "out of memory for the metrics"};
        return error->status;
    }
    for (const char *at = list;; at++) {
        const size_t length = item_span(at);
        const bool vmaf = !strncmp(at, "vmaf", 4) && (length == 4 || at[4] == '=');
        used += (size_t)snprintf(text + used, most - used, "%.*s%s%s", (int)length, at,
                                 !vmaf        ? ""
                                 : length > 5 ? ":"
                                 : length > 4 ? ""
                                              : "=",
                                 vmaf ? option : "");
        at += length;
        if (!*at)
            break;
        text[used++] = ',';
    }
    text[used] = '\0';
    FvStatus status = fv_session_add(session, text, error);
    free(text);
    return status;
}

FvStatus choice_add(FvSession *session, const ArgList *metrics, bool allow_hdr)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int i = 0; i < metrics->count && !status; i++)
        status = (allow_hdr ? add_for_hdr : fv_session_add)(session, metrics->items[i], &error);
    return complain_if(status, &error);
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
    return complain(FV_ERROR_USAGE, "a metric needs the reference: add -r FILE%s%s",
                    *list ? ", or choose a metric that works without one: " : "", list);
}

static bool takes_rgb(const char *name, size_t length)
{
    for (int i = 0; i < fv_metric_count(); i++) {
        const FvMetricInfo *info = fv_metric_info(i);
        if (strlen(info->name) == length && !strncmp(info->name, name, length))
            return info->takes_rgb;
    }
    return false;
}

bool choice_takes_rgb(const Options *options)
{
    bool all = options->metrics.count && !options->models.count && !options->draws_ycbcr;
    for (int i = 0; i < options->metrics.count; i++)
        for (const char *at = options->metrics.items[i]; all && *at; at += *at == ',') {
            all = takes_rgb(at, strcspn(at, "=,"));
            at += item_span(at);
        }
    return all;
}

#include "scoring/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "option_text.h"

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

static const FvMetricInfo *find(const char *name, size_t length)
{
    for (int i = 0; i < fv_metric_count(); i++) {
        const FvMetricInfo *info = fv_metric_info(i);
        if (strlen(info->name) == length && !strncmp(info->name, name, length))
            return info;
    }
    return NULL;
}

static bool takes_region(const FvMetricInfo *info)
{
    for (int i = 0; i < info->option_count; i++)
        if (!strcmp(info->options[i].name, "roi"))
            return true;
    return false;
}

static FvStatus refuse_region(const char *why, const char *name)
{
    char list[256] = "";
    for (int i = 0; i < fv_metric_count(); i++)
        if (takes_region(fv_metric_info(i)))
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                     fv_metric_info(i)->name);
    return complain(FV_ERROR_USAGE, "--roi: %s%s; metrics that weight a region are, for --metric, %s", name, why,
                    list);
}

/* --roi as an option of a metric. false: its path is too long. */
static bool print_region(char *text, size_t size, const char *roi)
{
    const bool rectangle = strchr(roi, ':') && !roi[strspn(roi, "0123456789:")];
    size_t used = 0;
    return fv_option_append(text, size, &used, rectangle ? "roi=" : "roi_mask=", false) &&
           fv_option_append(text, size, &used, roi, true);
}

/* Adds a list of metrics, with allow_hdr for each VMAF in it, or with a region for all. */
static FvStatus add_with(FvSession *session, const char *list, const char *region, FvError *error)
{
    static const char hdr[] = "allow_hdr=true";
    const char *option = *region ? region : hdr;
    const size_t most = (strlen(list) + 1) * (strlen(option) + 3);
    char *text = malloc(most);
    size_t used = 0;
    if (!text) {
        *error = (FvError){.status = FV_ERROR_MEMORY, .message = "out of memory for the metrics"};
        return error->status;
    }
    for (const char *at = list;; at++) {
        const size_t length = item_span(at), name = strcspn(at, "=,");
        const FvMetricInfo *info = find(at, name);
        if (*region && info && !takes_region(info)) {
            free(text);
            return refuse_region(" has no score of a region", info->name);
        }
        const bool add = *region || (info && !strcmp(info->name, "vmaf"));
        used += (size_t)snprintf(text + used, most - used, "%.*s%s%s", (int)length, at,
                                 !add                ? ""
                                 : length > name + 1 ? ":"
                                 : length > name     ? ""
                                                     : "=",
                                 add ? option : "");
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

FvStatus choice_add(FvSession *session, const Options *options)
{
    char region[8320] = "";
    FvError error = {0};
    FvStatus status = FV_OK;
    if (options->roi && options->models.count)
        return refuse_region(" has no score of a region: leave out --model", "vmaf");
    if (options->roi && !options->metrics.count)
        return refuse_region("without --metric VMAF is computed, which has no score of a region", "");
    if (options->roi && !print_region(region, sizeof region, options->roi))
        return complain(FV_ERROR_USAGE, "--roi: the path '%.80s...' is too long", options->roi);
    for (int i = 0; i < options->metrics.count && status == FV_OK; i++) {
        const char *list = options->metrics.items[i];
        status = options->allow_hdr || *region ? add_with(session, list, region, &error)
                                               : fv_session_add(session, list, &error);
    }
    return *error.message ? complain_if(status, &error) : status;
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
    const FvMetricInfo *info = find(name, length);
    return info && info->takes_rgb;
}

FvRgb choice_rgb(const Options *options, bool pictures)
{
    int metrics = options->models.count, taking = 0;
    for (int i = 0; i < options->metrics.count; i++)
        for (const char *at = options->metrics.items[i]; *at; at += *at == ',') {
            metrics++;
            taking += takes_rgb(at, strcspn(at, "=,"));
            at += item_span(at);
        }
    if (!metrics || (options->draws_ycbcr && pictures)) /* the usual ones, or maps of any: of both kinds */
        return fv_rgb_for(2, 1, pictures);
    const FvRgb rgb = fv_rgb_for(metrics, taking, pictures);
    return rgb == FV_RGB_KEEP && options->draws_ycbcr ? FV_RGB_BOTH : rgb;
}

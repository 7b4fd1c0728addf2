/*
 * Adds metrics with a run's parameters: the region of all metrics, VMAF's option for HDR, and VMAF's models in
 * libvmaf's syntax.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric_text.h"
#include "option/option.h"
#include "option/param.h"
#include "option_text.h"

/* ---- Metrics --------------------------------------------------------------------------------------------------- */

static bool takes_region(const FvMetricInfo *info)
{
    for (int i = 0; i < info->option_count; i++)
        if (!strcmp(info->options[i].name, "roi"))
            return true;
    return false;
}

static FvStatus refuse_region(const char *why, FvError *error)
{
    char list[256] = "";
    for (int i = 0; i < fv_metric_count(); i++) {
        const size_t used = strlen(list);
        if (takes_region(fv_metric_info(i)))
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", fv_metric_info(i)->name);
    }
    return fv_fail(error, FV_ERROR_USAGE, "%s has no score of a region; leave out %s, or name metrics that have: %s",
                   why, fv_remedy(FV_PARAM_ROI, NULL).text, list);
}

/* Writes the region as an option of a metric: a rectangle or a mask. False: its path is too long. */
static bool put_region(char *text, size_t size, const char *roi)
{
    const bool rectangle = strchr(roi, ':') && !roi[strspn(roi, "0123456789:")];
    size_t used = 0;
    return fv_option_append(text, size, &used, rectangle ? "roi=" : "roi_mask=", false) &&
           fv_option_append(text, size, &used, roi, true);
}

/* Adds a list of metrics. Appends the region to each metric, and allow_hdr to each VMAF. */
static FvStatus add_list(FvSession *session, const char *list, const char *region, bool hdr, FvError *error)
{
    const char *option = *region ? region : "allow_hdr=true";
    const size_t most = (strlen(list) + 1) * (strlen(option) + 3);
    char *text = malloc(most);
    size_t used = 0;
    if (!text)
        return fv_fail_memory(error, most);
    for (const char *at = list;; at++) {
        const size_t length = fv_option_span(at, ","), name = strcspn(at, "=,");
        const FvMetricInfo *info = fv_metric_named(at, name);
        if (*region && info && !takes_region(info)) {
            free(text);
            return refuse_region(info->name, error);
        }
        const bool add = *region || (hdr && info && !strcmp(info->name, "vmaf"));
        const char *mark = length > name + 1 ? ":" : length > name ? "" : "=";
        used += (size_t)snprintf(text + used, most - used, "%.*s%s%s", (int)length, at, add ? mark : "",
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

/* ---- Models ---------------------------------------------------------------------------------------------------- */

typedef struct Text {
    char text[2048];
    size_t used;
} Text;

static void put_text(Text *to, const char *from, size_t length, bool escape)
{
    for (size_t i = 0; i < length && to->used + 3 < sizeof to->text; i++) {
        if (escape && strchr(":,'\\", from[i]))
            to->text[to->used++] = '\\';
        to->text[to->used++] = from[i];
    }
    to->text[to->used] = '\0';
}

static bool starts(const char *word, size_t length, const char *with)
{
    return length >= strlen(with) && !strncmp(word, with, strlen(with));
}

static bool is(const char *word, size_t length, const char *what)
{
    return length == strlen(what) && starts(word, length, what);
}

static void put_option(Text *metric, const char *text, size_t length)
{
    put_text(metric, metric->used > strlen("vmaf") ? ":" : "=", 1, false);
    put_text(metric, text, length, false);
}

/*
 * Translates one word to an option of the metric and collects overloads. As in libvmaf, any value other than true
 * means off.
 */
static bool take_word(Text *metric, Text *overloads, Text *name, const char *word, size_t length)
{
    static const char *const flags[] = {"disable_clip", "enable_transform"};
    static const char *const texts[] = {"version=", "path=", "name="};
    for (int i = 0; i < 2; i++) {
        const size_t end = strlen(flags[i]);
        if (!is(word, length, flags[i]) && !(starts(word, length, flags[i]) && word[end] == '='))
            continue;
        const bool on = length == end || is(word + end, length - end, "=true");
        put_option(metric, flags[i], end);
        put_text(metric, on ? "=true" : "=false", on ? 5 : 6, false);
        return true;
    }
    for (int i = 0; i < 3; i++)
        if (starts(word, length, texts[i])) {
            put_option(metric, word, length);
            if (i == 2) {
                *name = (Text){.text = ""};
                put_text(name, word + strlen(texts[i]), length - strlen(texts[i]), false);
            }
            return true;
        }
    const char *point = memchr(word, '.', length), *equals = memchr(word, '=', length);
    if (!point || !equals || point > equals)
        return false;
    put_text(overloads, ":", overloads->used > 0, true);
    put_text(overloads, word, length, true);
    return true;
}

/* Translates a model's words to the metric with its options, and the name of its score. */
static FvStatus translate(const char *model, bool allow_hdr, Text *metric, Text *name, FvError *error)
{
    Text overloads = {.text = ""};
    put_text(metric, "vmaf", 4, false);
    put_text(name, "vmaf", 4, false);
    for (const char *at = strcmp(model, "auto") ? model : ""; *at;) {
        const size_t length = fv_option_span(at, ":");
        if (!take_word(metric, &overloads, name, at, length))
            return fv_fail(error, FV_ERROR_USAGE, "`model` takes %s, not '%.*s'", fv_param_rows[FV_PARAM_MODEL].takes,
                           (int)length, at);
        at += length;
        if (*at == ':' && !*++at)
            return fv_fail(error, FV_ERROR_USAGE, "`model` lacks a word after the last colon of '%s'; add it", model);
    }
    if (allow_hdr)
        put_option(metric, "allow_hdr=true", 14);
    if (overloads.used) {
        put_option(metric, "overload=", 9);
        put_text(metric, overloads.text, overloads.used, false);
    }
    if (metric->used + 4 > sizeof metric->text || overloads.used + 4 > sizeof overloads.text)
        return fv_fail(error, FV_ERROR_USAGE, "`model` '%.40s...' is too long; name fewer options", model);
    return FV_OK;
}

static FvStatus add_models(FvSession *session, const FvRunParams *run, FvError *error)
{
    Text *names = calloc(FV_MAX_MODELS, sizeof *names);
    FvStatus status = names ? FV_OK : fv_fail_memory(error, FV_MAX_MODELS * sizeof *names);
    for (int i = 0; i < run->model_count && !status; i++) {
        Text metric = {.text = ""};
        status = translate(run->models[i], run->allow_hdr, &metric, &names[i], error);
        for (int k = 0; k < i && !status; k++)
            if (!strcmp(names[k].text, names[i].text))
                status = fv_fail(
                    error, FV_ERROR_USAGE,
                    "two models have a score named '%s'; give one of them another name, by name=NAME in its `model`",
                    names[i].text);
        if (!status)
            status = fv_session_add(session, metric.text, error);
    }
    free(names);
    return status;
}

FvStatus fv_run_add(FvSession *session, const FvRunParams *run, const char *metric, FvError *error)
{
    FV_FLOAT_MODE;
    char region[8320] = "";
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, run);
    if (run->roi && run->model_count)
        return fv_fail(error, FV_ERROR_USAGE, "vmaf has no score of a region; leave out `roi` or `model`");
    if (run->roi && !metric)
        return refuse_region("vmaf", error);
    if (run->roi && !put_region(region, sizeof region, run->roi))
        return fv_fail(error, FV_ERROR_USAGE, "`roi` has a path that is too long: '%.80s...'", run->roi);
    if (!metric)
        return add_models(session, run, error);
    return run->allow_hdr || *region ? add_list(session, metric, region, run->allow_hdr, error)
                                     : fv_session_add(session, metric, error);
}

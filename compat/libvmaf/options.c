/* Reads options of extractors as libvmaf reads them, and writes them as the metrics of fovea accept them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dictionary.h"
#include "extractor.h"
#include "log.h"
#include "number.h"
#include "option_text.h"

/* The value of an option, in the member for its type. */
typedef struct Value {
    const FvOptionInfo *info;
    double number; /* value of a BOOL, INT or REAL */
    const char *text;
    bool changed;
} Value;

#define MOST 64

static const char *const not_libvmafs[] = {"motion_change_only", "peer_layout"};
static const char *const not_in_names[] = {"debug", "adm_skip_aim", "heatmaps_path", "full_ref"};

static bool in(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], word))
            return true;
    return false;
}

static const FvMetricInfo *metric_of(const LvExtractor *extractor)
{
    for (int i = 0; extractor->metric && i < fv_metric_count(); i++)
        if (!strcmp(fv_metric_info(i)->name, extractor->metric))
            return fv_metric_info(i);
    return NULL;
}

/*
 * Returns whether options appear in the names of the extractor's scores, as for the extractors below, whose options
 * change what a score means.
 */
static bool names_options(const LvExtractor *extractor)
{
    static const char *const names[] = {"adm", "vif", "motion", "cambi", "speed_chroma", "speed_temporal"};
    return in(extractor->name, names, sizeof names / sizeof *names);
}

static int read_value(Value *value, const char *text)
{
    const FvOptionInfo *info = value->info;
    switch (info->type) {
    case FV_OPTION_BOOL:
        value->number = !strcmp(text, "true");
        return value->number || !strcmp(text, "false") ? 0 : -EINVAL;
    case FV_OPTION_INT:
    case FV_OPTION_REAL:
        value->number = info->type == FV_OPTION_INT ? lv_number_int(text) : lv_number_real(text);
        return (value->number != 0 || *text == '0') && value->number >= info->minimum &&
                       value->number <= info->maximum
                   ? 0
                   : -EINVAL;
    default:
        value->text = text;
        return 0;
    }
}

/*
 * Returns libvmaf's default. For "auto", which follows tags that libvmaf's pictures lack, it is the value for
 * pictures without tags.
 */
static const char *default_text(const FvOptionInfo *info)
{
    return info->text && !strcmp(info->text, "auto") && strstr(info->name, "eotf") ? "bt1886" : info->text;
}

static int read_values(const FvMetricInfo *metric, const VmafFeatureDictionary *dict, Value *values, int *count)
{
    *count = 0;
    for (int i = 0; i < metric->option_count && *count < MOST; i++) {
        const FvOptionInfo *info = &metric->options[i];
        Value *value = &values[*count];
        const char *text = lv_dictionary_get(dict, info->name);
        if (in(info->name, not_libvmafs, sizeof not_libvmafs / sizeof *not_libvmafs))
            continue;
        *value = (Value){.info = info, .number = info->value, .text = default_text(info)};
        int failed = text ? read_value(value, text) : 0;
        if (failed)
            return failed;
        bool words = info->type == FV_OPTION_TEXT || info->type == FV_OPTION_PATH;
        value->changed =
            words ? text && (!info->text || strcmp(text, default_text(info))) : value->number != info->value;
        ++*count;
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Value *)a)->info->name, ((const Value *)b)->info->name);
}

static void print_suffix(const Value *values, int count, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < count && used < size; i++) {
        const Value *value = &values[i];
        const char *name = value->info->alias ? value->info->alias : value->info->name;
        if (!value->changed || in(value->info->name, not_in_names, sizeof not_in_names / sizeof *not_in_names))
            continue;
        if (value->info->type == FV_OPTION_BOOL)
            used += (size_t)snprintf(text + used, size - used, "_%s", name);
        else if (value->info->type == FV_OPTION_INT || value->info->type == FV_OPTION_REAL)
            used += (size_t)snprintf(text + used, size - used, "_%s_%g", name, value->number);
        else
            used += (size_t)snprintf(text + used, size - used, "_%s_%s", name, value->text);
    }
}

static bool print_option(const Value *value, char mark, char *text, size_t size, size_t *used)
{
    char number[40];
    const FvOptionInfo *info = value->info;
    bool words = info->type == FV_OPTION_TEXT || info->type == FV_OPTION_PATH;
    if (info->type == FV_OPTION_BOOL)
        snprintf(number, sizeof number, value->number ? "true" : "false");
    else
        snprintf(number, sizeof number, info->type == FV_OPTION_INT ? "%.0f" : "%.17g", value->number);
    return fv_option_append(text, size, used, (char[2]){mark}, false) &&
           fv_option_append(text, size, used, info->name, false) && fv_option_append(text, size, used, "=", false) &&
           fv_option_append(text, size, used, words ? value->text : number, words);
}

/*
 * Returns whether another option for the same setting overrides this one, as in libvmaf: "eotf" counts only if
 * "cambi_eotf" has its default.
 */
static bool is_overridden(const Value *value, const Value *values, int count)
{
    for (int i = 0; i < count && !strcmp(value->info->name, "eotf"); i++)
        if (!strcmp(values[i].info->name, "cambi_eotf"))
            return values[i].changed;
    return false;
}

static int print_metric(const LvExtractor *extractor, const Value *values, int count, LvOptions *options)
{
    char *text = options->metric;
    size_t used = 0, size = sizeof options->metric;
    bool any = false, fits = fv_option_append(text, size, &used, extractor->metric, false);
    if (extractor->always) {
        fits = fits && fv_option_append(text, size, &used, "=", false) &&
               fv_option_append(text, size, &used, extractor->always, false);
        any = true;
    }
    for (int i = 0; i < count && fits; i++)
        if (values[i].changed && !is_overridden(&values[i], values, count)) {
            fits = print_option(&values[i], any ? ':' : '=', text, size, &used);
            any = true;
        }
    return fits ? 0 : -EINVAL;
}

static double number_of(const Value *values, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(values[i].info->name, name))
            return values[i].number;
    return 0;
}

static bool is_off(const Value *values, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(values[i].info->name, name))
            return values[i].number == 0;
    return false;
}

bool lv_options_same(const LvExtractor *extractor, const LvOptions *a, const LvOptions *b)
{
    return extractor->own ? !strcmp(a->metric, b->metric) : !strcmp(a->suffix, b->suffix);
}

/* ---- fovea's own ----------------------------------------------------------------------------------------------- */

/* Tries a metric in a session, to report errors now that would otherwise appear at the first picture. */
static int try_metric(const char *metric)
{
    FvError error = {0};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.threads = 1, .device = "cpu"}, &error);
    if (!status)
        status = fv_session_add(session, metric, &error);
    fv_session_close(&session);
    if (status)
        lv_log(VMAF_LOG_LEVEL_ERROR, "%s", error.message);
    return !status ? 0 : status == FV_ERROR_MEMORY ? -ENOMEM : -EINVAL;
}

static int read_own(const FvMetricInfo *metric, const VmafFeatureDictionary *dict, LvOptions *options)
{
    char *text = options->metric;
    size_t used = 0, size = sizeof options->metric;
    bool fits = fv_option_append(text, size, &used, metric->name, false);
    for (int i = 0; dict && i < dict->count; i++) {
        const LvEntry *entry = &dict->entry[i];
        fits = fits && fv_option_append(text, size, &used, i ? ":" : "=", false) &&
               fv_option_append(text, size, &used, entry->key, false) &&
               fv_option_append(text, size, &used, "=", false) &&
               fv_option_append(text, size, &used, entry->value, true);
    }
    if (!fits)
        lv_log(VMAF_LOG_LEVEL_ERROR, "the options of \"%s\" are longer than %d bytes", metric->name, (int)size - 1);
    return fits ? try_metric(text) : -EINVAL;
}

/* ---- All ------------------------------------------------------------------------------------------------------- */

int lv_options_read(const LvExtractor *extractor, const VmafFeatureDictionary *dict, LvOptions *options)
{
    Value values[MOST];
    int count;
    *options = (LvOptions){.five_frames = false};
    const FvMetricInfo *metric = metric_of(extractor);
    if (!metric)
        return 0;
    if (extractor->own)
        return read_own(metric, dict, options);
    int failed = read_values(metric, dict, values, &count);
    if (failed) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "an option of \"%s\" has an invalid value", extractor->name);
        return failed;
    }
    locale_t before = lv_number_begin();
    failed = print_metric(extractor, values, count, options);
    qsort(values, (size_t)count, sizeof *values, by_name);
    if (names_options(extractor))
        print_suffix(values, count, options->suffix, sizeof options->suffix);
    lv_number_end(before);
    options->luma = is_off(values, count, "enable_chroma");
    options->debug = number_of(values, count, "debug") != 0;
    options->five_frames = number_of(values, count, "motion_five_frame_window") != 0;
    options->moving_average = number_of(values, count, "motion_moving_average") != 0;
    options->force_zero = number_of(values, count, "motion_force_zero") != 0;
    options->blend_factor = number_of(values, count, "motion_blend_factor");
    options->blend_offset = number_of(values, count, "motion_blend_offset");
    options->max_val = number_of(values, count, "motion_max_val");
    return failed;
}

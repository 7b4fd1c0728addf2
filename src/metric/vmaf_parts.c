/*
 * Finds the metrics that compute a model's features, by the names and options of the features. docs/metrics/vmaf.md
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/vmaf.h"
#include "option_text.h"

extern const FvMetric fv_metric_adm;
extern const FvMetric fv_metric_cambi;
extern const FvMetric fv_metric_motion;
extern const FvMetric fv_metric_speed_chroma;
extern const FvMetric fv_metric_speed_temporal;
extern const FvMetric fv_metric_vif;

static const struct {
    const char *feature;
    const FvMetric *metric;
    const char *output;
} known[] = {
    {"VMAF_integer_feature_adm2_score", &fv_metric_adm, "integer_adm2"},
    {"VMAF_integer_feature_adm3_score", &fv_metric_adm, "integer_adm3"},
    {"VMAF_integer_feature_aim_score", &fv_metric_adm, "integer_aim"},
    {"integer_adm_scale0", &fv_metric_adm, "integer_adm_scale0"},
    {"integer_adm_scale1", &fv_metric_adm, "integer_adm_scale1"},
    {"integer_adm_scale2", &fv_metric_adm, "integer_adm_scale2"},
    {"integer_adm_scale3", &fv_metric_adm, "integer_adm_scale3"},
    {"VMAF_integer_feature_motion2_score", &fv_metric_motion, "integer_motion2"},
    {"VMAF_integer_feature_motion3_score", &fv_metric_motion, "integer_motion3"},
    {"VMAF_integer_feature_vif_scale0_score", &fv_metric_vif, "integer_vif_scale0"},
    {"VMAF_integer_feature_vif_scale1_score", &fv_metric_vif, "integer_vif_scale1"},
    {"VMAF_integer_feature_vif_scale2_score", &fv_metric_vif, "integer_vif_scale2"},
    {"VMAF_integer_feature_vif_scale3_score", &fv_metric_vif, "integer_vif_scale3"},
    {"Cambi_feature_cambi_score", &fv_metric_cambi, "cambi"},
    {"Speed_chroma_feature_speed_chroma_u_score", &fv_metric_speed_chroma, "speed_chroma_u"},
    {"Speed_chroma_feature_speed_chroma_v_score", &fv_metric_speed_chroma, "speed_chroma_v"},
    {"Speed_chroma_feature_speed_chroma_uv_score", &fv_metric_speed_chroma, "speed_chroma_uv"},
    {"Speed_temporal_feature_speed_temporal_score", &fv_metric_speed_temporal, "speed_temporal"},
};

#define MOST_OPTIONS 96 /* maximum number of options of one feature, including overloads */

/* The options of one feature: those of the model, replaced by overloads of the same name. */
typedef struct List {
    struct {
        char name[64], value[256];
    } item[MOST_OPTIONS];
    int count;
} List;

static bool add_item(List *list, const char *name, size_t length, const char *value)
{
    int i = 0;
    while (i < list->count && (strncmp(list->item[i].name, name, length) || list->item[i].name[length]))
        i++;
    if (i == MOST_OPTIONS || length >= sizeof list->item->name || strlen(value) >= sizeof list->item->value)
        return false;
    memcpy(list->item[i].name, name, length);
    list->item[i].name[length] = 0;
    strcpy(list->item[i].value, value);
    list->count += i == list->count;
    return true;
}

static bool list_contains(const List *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->item[i].name, name))
            return true;
    return false;
}

static bool print_items(const List *list, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < list->count; i++)
        if (!fv_option_append(text, size, &used, i ? ":" : "", false) ||
            !fv_option_append(text, size, &used, list->item[i].name, false) ||
            !fv_option_append(text, size, &used, "=", false) ||
            !fv_option_append(text, size, &used, list->item[i].value, true))
            return false;
    return true;
}

/* Prints a number as libvmaf does, as a float with six digits. Leaves any other value unchanged. */
static void print_overload(char *text, size_t size, const char *value)
{
    double number;
    if (fv_parse_real(value, &number))
        snprintf(text, size, "%g", (float)number);
    else
        snprintf(text, size, "%s", value);
}

/*
 * Adds the overloads of one metric to `list`, which may be NULL. The text is METRIC.OPTION=VALUE, separated by
 * colons. Sets used[i] if overload i names this metric.
 */
static FvStatus overload(List *list, const char *metric, const char *text, bool used[MOST_OPTIONS], FvError *error)
{
    char item[512], value[256];
    for (int i = 0; text && *text; i++) {
        size_t length = strcspn(text, ":");
        int written = snprintf(item, sizeof item, "%.*s", (int)length, text);
        char *point = strchr(item, '.'), *equals = strchr(item, '=');
        text += length + (text[length] == ':');
        if (i == MOST_OPTIONS || written >= (int)sizeof item)
            return fv_fail(error, FV_ERROR_USAGE, "vmaf: the overloads are too many or too long for any model");
        if (!point || !equals || point > equals || point == item)
            return fv_fail(error, FV_ERROR_USAGE, "vmaf: overload '%s' is not of the form metric.option=value", item);
        *point = *equals = 0;
        if (strcmp(item, metric))
            continue;
        used[i] = true;
        print_overload(value, sizeof value, equals + 1);
        if (!add_item(list, point + 1, strlen(point + 1), value))
            return fv_fail(error, FV_ERROR_USAGE, "vmaf: overload '%s.%s' is too long", item, point + 1);
    }
    return FV_OK;
}

static int find_output(const FvMetric *metric, const char *name)
{
    for (int i = 0; i < metric->info.output_count; i++)
        if (!strcmp(metric->info.outputs[i].name, name))
            return i;
    return -1;
}

/* Finds the part with these options, or opens it. */
static FvStatus part_of(FvVmafParts *parts, const FvMetric *metric, const char *options, int *part, FvError *error)
{
    for (*part = 0; *part < parts->count; (*part)++)
        if (parts->part[*part].run.metric == metric && !strcmp(parts->part[*part].options, options))
            return FV_OK;
    FvVmafPart *new = &parts->part[parts->count];
    strcpy(new->options, options);
    FvStatus status = fv_metric_open_as(&new->run, metric, options, error);
    parts->count += !status;
    if (!status && new->run.maps)
        status = fv_fail(error, FV_ERROR_USAGE, "the %s of a model writes no maps; name it as a metric as well",
                         metric->info.name);
    if (!status && fv_region_given(fv_region_among(new->run.options, &metric->options)))
        status = fv_fail(error, FV_ERROR_USAGE, "the %s of a model has no region; name it as a metric as well",
                         metric->info.name);
    return status;
}

static FvStatus open_feature(FvVmafParts *parts, const FvModel *model, int feature, const char *overloads, bool *used,
                             int depth, FvError *error)
{
    const FvModelFeature *wanted = &model->feature[feature];
    size_t k = 0;
    while (k < sizeof known / sizeof *known && strcmp(known[k].feature, wanted->name))
        k++;
    const FvMetric *metric = k < sizeof known / sizeof *known ? known[k].metric : NULL;
    parts->output[feature] = metric ? find_output(metric, known[k].output) : -1;
    if (parts->output[feature] < 0)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: fovea has no metric for the feature '%.80s'; use an integer model such as vmaf_v0.6.1",
                       model->name, wanted->name);
    for (const FvModelOption *option = wanted->options; option->name; option++)
        if (!fv_metric_model_may_set(metric, option->name))
            return fv_fail(error, FV_ERROR_INPUT,
                           "%s: sets %.80s of %s, which decides no score: remove it from the file, and give it as an "
                           "option of the metric",
                           model->name, option->name, metric->info.name);
    List *list = calloc(1, sizeof *list);
    if (!list)
        return fv_fail_memory(error, sizeof *list);
    bool fits = true;
    for (const FvModelOption *option = wanted->options; option->name; option++)
        fits = fits && add_item(list, option->name, strlen(option->name), option->value);
    FvStatus status = overload(list, metric->info.name, overloads, used, error);
    /* Videos with fewer bits are scored as if they had the model's bits. This changes only CAMBI's dither filter. */
    if (depth && depth < model->native_depth && metric == &fv_metric_cambi && !list_contains(list, "enc_bitdepth"))
        fits = fits && add_item(list, "enc_bitdepth", strlen("enc_bitdepth"), "10");
    char text[sizeof parts->part->options];
    if (!status && (!fits || !print_items(list, text, sizeof text)))
        status = fv_fail(error, FV_ERROR_INPUT, "%s: the options of feature '%.80s' are too long", model->name,
                         wanted->name);
    free(list);
    if (status)
        return status;
    FvError inner = {0};
    status = part_of(parts, metric, text, &parts->of[feature], &inner);
    return status
               ? fv_fail(error, fv_failure_of(&inner), "%s: feature %d: %s", model->name, feature + 1, inner.message)
               : FV_OK;
}

FvStatus fv_vmaf_parts_open(FvVmafParts *parts, const FvModel *model, const char *overloads, int depth,
                            FvError *error)
{
    bool used[MOST_OPTIONS] = {false};
    FvStatus status = FV_OK;
    parts->count = 0;
    for (int i = 0; i < model->feature_count && !status; i++)
        status = open_feature(parts, model, i, overloads, used, depth, error);
    const char *text = overloads;
    for (int i = 0; text && *text && !status; i++) {
        size_t length = strcspn(text, ":");
        if (!used[i])
            status =
                fv_fail(error, FV_ERROR_USAGE, "%s: overload '%.*s' is for a metric that this model does not use",
                        model->name, (int)length, text);
        text += length + (text[length] == ':');
    }
    if (status)
        fv_vmaf_parts_close(parts);
    return status;
}

void fv_vmaf_parts_close(FvVmafParts *parts)
{
    while (parts->count)
        fv_metric_close(&parts->part[--parts->count].run);
}

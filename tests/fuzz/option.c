/*
 * Parses any bytes as the option string of a metric. The result must be a refusal with a message, or values in range
 * whose printed text parses to the same values. "METRIC=..." tests the options of that metric; anything else tests a
 * sample table that has every type.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/option_sample.h"
#include "metric/metric.h"

#define MOST_TEXT 512

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static bool is_choice(const FvOptionInfo *info, const char *value)
{
    if (!info->choices)
        return true;
    for (int i = 0; info->choices[i]; i++)
        if (value && !strcmp(info->choices[i], value))
            return true;
    return false;
}

/* Checks that the table allows an option's value. */
static void check_value(const FvOptions *table, const char *options, int i)
{
    const FvOptionInfo *info = &table->info[i];
    const void *place = options + table->offset[i];
    double value;
    if (!fv_option_changed(options, table, i))
        return; /* a default for "not given" may be outside the range */
    switch (info->type) {
    case FV_OPTION_BOOL:
        value = *(const bool *)place;
        check(value == 0 || value == 1, info->name);
        break;
    case FV_OPTION_INT:
        value = *(const int *)place;
        check(value >= info->minimum && value <= info->maximum, info->name);
        break;
    case FV_OPTION_REAL:
        value = *(const double *)place;
        check(isfinite(value) && value >= info->minimum && value <= info->maximum, info->name);
        break;
    case FV_OPTION_TEXT:
    case FV_OPTION_PATH:
        check(!*(const char *const *)place || is_choice(info, *(const char *const *)place), info->name);
        break;
    }
}

/* Checks that parsing the text of fv_option_print yields the same value again. */
static void check_round_trip(const FvOptions *table, const char *options, int i, void *back)
{
    const FvOptionInfo *info = &table->info[i];
    char value[MOST_TEXT], text[2 * MOST_TEXT], again[MOST_TEXT];
    FvError error = {0};
    if (info->type == FV_OPTION_PATH || (info->type == FV_OPTION_TEXT && !info->choices) ||
        !fv_option_changed(options, table, i))
        return;
    fv_option_print(options, table, i, value, sizeof value);
    snprintf(text, sizeof text, "%s=%s", info->name, value);
    fv_options_default(back, table);
    check(!fv_options_parse(back, table, "metric", text, &error), error.message);
    fv_option_print(back, table, i, again, sizeof again);
    check(!strcmp(value, again), "a printed value reads back differently");
    const double *one = (const double *)(options + table->offset[i]);
    const double *two = (const double *)((const char *)back + table->offset[i]);
    check(info->type != FV_OPTION_REAL || *one == *two, "a printed number is another one");
}

static void parse(const FvOptions *table, size_t size, const char *bytes, size_t length)
{
    char *text = malloc(length + 1), *options = malloc(size), *back = malloc(size);
    FvError error = {0};
    check(text && options && back, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    fv_options_default(options, table);
    FvStatus status = fv_options_parse(options, table, "metric", text, &error);
    if (status) {
        check(status == FV_ERROR_USAGE && error.status == status && *error.message, "refused without a message");
    } else {
        char suffix[256];
        for (int i = 0; i < table->count; i++) {
            check_value(table, options, i);
            check_round_trip(table, options, i, back);
        }
        fv_options_suffix(options, table, suffix, sizeof suffix);
        check(memchr(suffix, 0, sizeof suffix) != NULL, "the suffix has no end");
    }
    free(back);
    free(options);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char name[32] = "";
    const char *text = (const char *)bytes, *end = memchr(text, '=', size < sizeof name ? size : sizeof name);
    if (size > MOST_TEXT)
        return 0;
    if (end)
        memcpy(name, text, (size_t)(end - text));
    const FvMetric *metric = fv_metric_find(name);
    if (metric)
        parse(&metric->options, metric->options_size, end + 1, size - (size_t)(end + 1 - text));
    else
        parse(&sample_options, sizeof(Sample), text, size);
    return 0;
}

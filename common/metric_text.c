#include "metric_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fovea/metric.h"
#include "option_text.h"

static const FvOptionInfo *find_option(const char *metric, const char *name)
{
    for (int m = 0; m < fv_metric_count(); m++)
        for (int i = 0; !strcmp(fv_metric_info(m)->name, metric) && i < fv_metric_info(m)->option_count; i++)
            if (!strcmp(fv_metric_info(m)->options[i].name, name))
                return &fv_metric_info(m)->options[i];
    return NULL;
}

/* Returns whether a value is the default, which need not be a value that the option accepts. */
static bool is_default(const FvOptionInfo *option, const FvNode *value)
{
    const char *text = fv_node_text(value);
    if (option->type == FV_OPTION_BOOL)
        return fv_node_is(value, FV_NODE_TRUE) == (option->value != 0);
    if (option->type == FV_OPTION_INT || option->type == FV_OPTION_REAL)
        return (text ? strtod(text, NULL) : fv_node_number(value)) == option->value;
    return text && option->text && !strcmp(text, option->text);
}

/*
 * Writes the value as text for fv_session_add(). False: the value is the default, or the option only names outputs.
 */
static bool print_option(const char *name, const FvNode *value, char *text, size_t size)
{
    if (fv_node_is_flag(value))
        snprintf(text, size, "%s", fv_node_is(value, FV_NODE_TRUE) ? "true" : "false");
    else if (fv_node_is(value, FV_NODE_INTEGER))
        snprintf(text, size, "%lld", (long long)fv_node_integer(value));
    else if (fv_node_is(value, FV_NODE_REAL))
        snprintf(text, size, "%.17g", fv_node_number(value));
    else if (fv_node_is(value, FV_NODE_TEXT))
        snprintf(text, size, "%s", fv_node_text(value));
    else
        return false;
    return strcmp(name, "heatmaps_path") != 0;
}

bool fv_metric_text(const FvNode *metric, char *text, size_t size)
{
    char value[4096];
    const char *name = fv_member_text(metric, "name");
    const FvNode *options = fv_node_member(metric, "options");
    size_t used = 0;
    bool first = true;
    *text = '\0';
    if (!name || !fv_node_is(options, FV_NODE_OBJECT) || !fv_option_append(text, size, &used, name, true))
        return false;
    for (uint32_t i = 0; i < options->count; i++) {
        const FvNode *given = &options->items[i];
        const FvOptionInfo *info = find_option(name, given->key);
        if ((info && is_default(info, given)) || !print_option(given->key, given, value, sizeof value))
            continue;
        if (!fv_option_append(text, size, &used, first ? "=" : ":", false) ||
            !fv_option_append(text, size, &used, given->key, true) ||
            !fv_option_append(text, size, &used, "=", false) || !fv_option_append(text, size, &used, value, true))
            return false;
        first = false;
    }
    return true;
}

/*
 * fovea metrics: prints the list of metrics, or the scores, maps and options of some, from the tables of the library.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/options.h"
#include "fovea/fovea.h"
#include "json.h"
#include "meaning_json.h"

static const char *const type_names[] = {"bool", "int", "real", "text", "path"};

static bool is_text(const FvOptionInfo *option)
{
    return option->type == FV_OPTION_TEXT || option->type == FV_OPTION_PATH;
}

#define INDENT 29      /* column at which explanations of names begin */
#define LIST_INDENT 18 /* column at which the explanations in the list of metrics begin */

typedef struct Text {
    char text[2048];
    size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text->text + text->used, sizeof text->text - text->used, format, args);
    va_end(args);
    text->used += (size_t)length < sizeof text->text - text->used ? (size_t)length : 0;
}

/* Prints `text` wrapped, with `name` (which may be empty) to its left. */
static void print_text(const char *name, const char *text)
{
    help_wrap(stdout, text, printf("    %-*s", INDENT - 4, name), INDENT);
}

static void add_default(Text *text, const FvOptionInfo *option)
{
    if (option->type == FV_OPTION_BOOL)
        add(text, "%s", option->value != 0 ? "true" : "false");
    else if (is_text(option))
        add(text, "%s", option->text ? option->text : "unset");
    else
        add(text, "%.9g", option->value);
}

static void add_domain(Text *text, const FvOptionInfo *option)
{
    if (option->type == FV_OPTION_BOOL)
        add(text, "true or false");
    else if (!is_text(option)) {
        char range[64];
        add(text, "%s%s%s%s", option->type == FV_OPTION_INT ? "whole number " : "number ",
            help_range(range, sizeof range, option), option->unit ? " " : "", option->unit ? option->unit : "");
    } else if (option->choices)
        for (int i = 0; option->choices[i]; i++)
            add(text, "%s%s", i ? " | " : "", option->choices[i]);
    else
        add(text, option->type == FV_OPTION_PATH ? "a file" : "text");
}

/* Prints the grades, "bad below 30, poor from 30, ...", and their source. */
static void print_grades(const FvMeaning *meaning)
{
    Text text = {.used = 0};
    for (int i = 0; i < meaning->grade_count; i++)
        if (i)
            add(&text, ", %s from %g", meaning->grades[i].word, meaning->grades[i].from);
        else
            add(&text, "%s below %g", meaning->grades[0].word, meaning->grades[1].from);
    if (!meaning->grade_count)
        return;
    add(&text, " (%s)", meaning->source);
    print_text("", text.text);
}

static void print_output(const FvOutputInfo *output)
{
    Text text = {.used = 0};
    const FvMeaning *meaning = fv_meaning(output->name);
    const char *unit = output->unit ? output->unit : "";
    add(&text, "%s: %s", meaning->title, output->help);
    print_text(output->name, text.text);
    text.used = 0;
    add(&text, "%s%sin [%.9g, %.9g], %s is better%s", unit, *unit ? " " : "", output->minimum, output->maximum,
        fv_better_name(output->better), output->sequence ? ", one value for the clip" : "");
    print_text("", text.text);
    print_grades(meaning);
}

static void print_option(const FvOptionInfo *option)
{
    Text text = {.used = 0};
    print_text(option->name, option->help);
    add_domain(&text, option);
    add(&text, "; default ");
    add_default(&text, option);
    if (option->alias && *option->alias)
        add(&text, "; short name %s", option->alias);
    print_text("", text.text);
}

static void print_metric(const FvMetricInfo *metric)
{
    help_wrap(stdout, metric->title, printf("%s:", metric->name), 2);
    help_wrap(stdout, metric->citation, printf("  "), 2);
    printf("  %s\n\n  Scores\n",
           metric->needs_reference ? "compares with a reference" : "scores the distorted video alone");
    for (int i = 0; i < metric->output_count; i++)
        print_output(&metric->outputs[i]);
    if (metric->map_count)
        printf("\n  Maps\n");
    for (int i = 0; i < metric->map_count; i++)
        print_text(metric->maps[i].name, metric->maps[i].help);
    if (metric->option_count)
        printf("\n  Options\n");
    for (int i = 0; i < metric->option_count; i++)
        print_option(&metric->options[i]);
    putchar('\n');
}

static void print_list(const char *heading, bool needs_reference)
{
    printf("%s:\n", heading);
    for (int i = 0; i < fv_metric_count(); i++) {
        const FvMetricInfo *metric = fv_metric_info(i);
        if (metric->needs_reference == needs_reference)
            help_wrap(stdout, metric->title, printf("  %-*s", LIST_INDENT - 2, metric->name), LIST_INDENT);
    }
    putchar('\n');
}

static void json_option(FvJson *json, const FvOptionInfo *option)
{
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", option->name);
    fv_json_text(json, "alias", option->alias);
    fv_json_text(json, "type", type_names[option->type]);
    if (option->type == FV_OPTION_BOOL)
        fv_json_bool(json, "default", option->value != 0);
    else if (is_text(option))
        fv_json_text(json, "default", option->text);
    else {
        fv_json_real(json, "default", option->value);
        fv_json_real(json, "minimum", option->minimum);
        fv_json_real(json, "maximum", option->maximum);
    }
    if (option->choices) {
        fv_json_open_line(json, "choices", '[');
        for (int i = 0; option->choices[i]; i++)
            fv_json_text(json, NULL, option->choices[i]);
        fv_json_close(json);
    }
    fv_json_text(json, "unit", option->unit);
    fv_json_text(json, "help", option->help);
    fv_json_close(json);
}

static void json_output(FvJson *json, const FvOutputInfo *output)
{
    fv_json_open(json, NULL, '{');
    fv_output_info_json(json, output);
    fv_json_text(json, "help", output->help);
    fv_json_open(json, "meaning", '{');
    fv_meaning_json(json, fv_meaning(output->name));
    fv_json_close(json);
    fv_json_close(json);
}

static void json_metric(FvJson *json, const FvMetricInfo *metric)
{
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", metric->name);
    fv_json_text(json, "title", metric->title);
    fv_json_text(json, "citation", metric->citation);
    fv_json_bool(json, "needs_reference", metric->needs_reference);
    fv_json_open(json, "outputs", '[');
    for (int i = 0; i < metric->output_count; i++)
        json_output(json, &metric->outputs[i]);
    fv_json_close(json);
    fv_json_open(json, "maps", '[');
    for (int i = 0; i < metric->map_count; i++) {
        fv_json_open(json, NULL, '{');
        fv_json_text(json, "name", metric->maps[i].name);
        fv_json_text(json, "unit", metric->maps[i].unit);
        fv_json_real(json, "minimum", metric->maps[i].minimum);
        fv_json_real(json, "maximum", metric->maps[i].maximum);
        fv_json_text(json, "help", metric->maps[i].help);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_open(json, "options", '[');
    for (int i = 0; i < metric->option_count; i++)
        json_option(json, &metric->options[i]);
    fv_json_close(json);
    fv_json_close(json);
}

static bool wanted(const ArgList *words, const char *name)
{
    for (int i = 0; i < words->count; i++)
        if (!strcmp(words->items[i], name))
            return true;
    return !words->count;
}

static int check_names(const ArgList *words)
{
    const char *names[64];
    int count = 0;
    for (; count < fv_metric_count() && count < 64; count++)
        names[count] = fv_metric_info(count)->name;
    for (int i = 0; i < words->count; i++) {
        bool found = false;
        for (int k = 0; k < count; k++)
            found |= !strcmp(words->items[i], names[k]);
        char hint[128];
        if (!found)
            return report_error(FV_FAIL_METRIC, "unknown metric '%s'%s", words->items[i],
                                *arg_suggest(hint, sizeof hint, words->items[i], names, count)
                                    ? hint
                                    : "; 'fovea metrics' lists all");
    }
    return EXIT_OK;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    int status = check_names(words);
    if (status != EXIT_OK)
        return status;
    if (!words->count && !options->json) {
        print_list("Metrics that compare a video with its reference", true);
        print_list("Metrics of one video", false);
        puts("'fovea metrics NAME' shows the scores, maps and options of a metric.");
        return EXIT_OK;
    }
    FvJson json = {.file = stdout};
    if (options->json)
        fv_json_open(&json, NULL, '[');
    for (int i = 0; i < fv_metric_count(); i++) {
        const FvMetricInfo *metric = fv_metric_info(i);
        if (!wanted(words, metric->name))
            continue;
        if (options->json)
            json_metric(&json, metric);
        else
            print_metric(metric);
    }
    if (options->json) {
        fv_json_close(&json);
        putchar('\n');
    }
    return EXIT_OK;
}

const Command command_metrics = {
    .name = "metrics",
    .summary = "list the metrics with their scores and options",
    .synopsis = "[NAME]... [--json]",
    .description =
        "Lists the metrics that 'fovea score --metric' takes. For a NAME, shows its scores with units, ranges "
        "and words, its maps, and its options with defaults.",
    .example = "fovea metrics\nfovea metrics psnr",
    OPTIONS_OF(FOR_METRICS),
    .run = run,
};

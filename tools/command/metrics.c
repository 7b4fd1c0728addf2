/* fovea metrics: every metric with its scores, maps and options, from the tables of the library. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "fovea/fovea.h"
#include "cli/message.h"
#include "cli/options.h"
#include "json.h"
#include "meaning_json.h"

static const char *const type_names[] = {"bool", "int", "real", "text", "path"};

static bool is_text(const FvOptionInfo *option)
{
    return option->type == FV_OPTION_TEXT || option->type == FV_OPTION_PATH;
}

static void print_default(FILE *file, const FvOptionInfo *option)
{
    if (option->type == FV_OPTION_BOOL)
        fputs(option->value != 0 ? "true" : "false", file);
    else if (is_text(option))
        fputs(option->text ? option->text : "unset", file);
    else
        fprintf(file, "%.9g", option->value);
}

static void print_domain(FILE *file, const FvOptionInfo *option)
{
    if (option->type == FV_OPTION_BOOL)
        fputs("true or false", file);
    else if (!is_text(option))
        fprintf(file, "%s in [%.9g, %.9g]%s%s", option->type == FV_OPTION_INT ? "whole number" : "number",
                option->minimum, option->maximum, option->unit ? " " : "", option->unit ? option->unit : "");
    else if (option->choices)
        for (int i = 0; option->choices[i]; i++)
            fprintf(file, "%s%s", i ? " | " : "", option->choices[i]);
    else
        fputs(option->type == FV_OPTION_PATH ? "a file" : "text", file);
}

/* "bad below 30, poor from 30, ..." and who says so. */
static void print_grades(const FvMeaning *meaning)
{
    for (int i = 0; i < meaning->grade_count; i++)
        if (i)
            printf(", %s from %g", meaning->grades[i].word, meaning->grades[i].from);
        else
            printf("    %-24s %s below %g", "", meaning->grades[0].word, meaning->grades[1].from);
    if (meaning->grade_count)
        printf("\n    %-24s (%s)\n", "", meaning->source);
}

static void print_metric(const FvMetricInfo *metric)
{
    printf("%s: %s\n  %s\n  %s\n\n  Scores\n", metric->name, metric->title, metric->citation,
           metric->needs_reference ? "compares with a reference" : "scores the distorted video alone");
    for (int i = 0; i < metric->output_count; i++) {
        const FvOutputInfo *output = &metric->outputs[i];
        const FvMeaning *meaning = fv_meaning(output->name);
        const char *unit = output->unit ? output->unit : "";
        printf("    %-24s %s: %s\n    %-24s %s%sin [%.9g, %.9g], %s is better%s\n", output->name, meaning->title,
               output->help, "", unit, *unit ? " " : "", output->minimum, output->maximum,
               fv_better_name(output->better), output->sequence ? ", one value for the clip" : "");
        print_grades(meaning);
    }
    if (metric->map_count)
        printf("\n  Maps\n");
    for (int i = 0; i < metric->map_count; i++)
        printf("    %-24s %s\n", metric->maps[i].name, metric->maps[i].help);
    if (metric->option_count)
        printf("\n  Options\n");
    for (int i = 0; i < metric->option_count; i++) {
        const FvOptionInfo *option = &metric->options[i];
        printf("    %-24s %s\n    %-24s ", option->name, option->help, "");
        print_domain(stdout, option);
        printf("; default ");
        print_default(stdout, option);
        if (option->alias)
            printf("; short %s", option->alias);
        putchar('\n');
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
    fv_json_text(json, "name", output->name);
    fv_json_text(json, "unit", output->unit);
    fv_json_real(json, "minimum", output->minimum);
    fv_json_real(json, "maximum", output->maximum);
    fv_json_text(json, "better", fv_better_name(output->better));
    fv_json_bool(json, "sequence", output->sequence);
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
            return complain(FV_ERROR_USAGE, "unknown metric '%s'%s", words->items[i],
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
    .description = "Lists the metrics that 'fovea score --metric' takes: their scores with units and ranges, and "
                   "their options with defaults.",
    .example = "fovea metrics psnr",
    OPTIONS_OF(FOR_METRICS),
    .run = run,
};

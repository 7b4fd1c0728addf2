#include "cli/man.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "fovea/fovea.h"

/* Prints text escaped for roff, so that no line begins with a control character, and a minus stays a minus. */
static void print_text(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool first = i == 0 || text[i - 1] == '\n';
        if (first && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", file);
        if (text[i] == '\\')
            fputs("\\e", file);
        else if (text[i] == '-')
            fputs("\\-", file);
        else if (text[i] == '\'')
            fputs("\\(aq", file);
        else
            fputc(text[i], file);
    }
}

static void print_line(FILE *file, const char *macro, const char *text)
{
    fprintf(file, "%s", macro);
    print_text(file, text, strlen(text));
    fputc('\n', file);
}

static void print_term(FILE *file, const char *term, const char *text)
{
    print_line(file, ".TP\n.B ", term);
    print_line(file, "", text);
}

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fputs(".PP\n", file);
        print_text(file, text, length);
        fputc('\n', file);
        text += length + (text[length] == '\n');
    }
}

static void print_example(FILE *file, const char *text)
{
    fputs(".PP\n.nf\n.RS\n", file);
    print_text(file, text, strlen(text));
    fputs("\n.RE\n.fi\n", file);
}

static void print_command(FILE *file, const Command *command)
{
    char name[128], text[1024];
    snprintf(name, sizeof name, "fovea %s %s", command->name, command->synopsis);
    print_line(file, ".SS ", name);
    print_paragraphs(file, command->description);
    for (const ArgOption *option = NULL; (option = arg_next(command, option));)
        print_term(file, help_option_name(name, sizeof name, option), help_option_text(text, sizeof text, option));
    if (command->example)
        print_example(file, command->example);
}

static void print_metric(FILE *file, const FvMetricInfo *metric)
{
    char text[512];
    snprintf(text, sizeof text, "%s: %s", metric->name, metric->title);
    print_line(file, ".SS ", text);
    snprintf(text, sizeof text, "%s. %s.", metric->citation,
             metric->needs_reference ? "Compares with a reference" : "Scores the distorted video alone");
    print_paragraphs(file, text);
    for (int i = 0; i < metric->output_count; i++) {
        const FvOutputInfo *output = &metric->outputs[i];
        snprintf(text, sizeof text, "Score, %s, %s is better: %s", output->unit, fv_better_name(output->better),
                 output->help);
        print_term(file, output->name, text);
    }
    for (int i = 0; i < metric->option_count; i++) {
        const FvOptionInfo *option = &metric->options[i];
        if (option->type == FV_OPTION_BOOL)
            snprintf(text, sizeof text, "Option, true or false, default %s: %s",
                     option->value != 0 ? "true" : "false", option->help);
        else if (option->type == FV_OPTION_TEXT || option->type == FV_OPTION_PATH)
            snprintf(text, sizeof text, "Option, default %s: %s", option->text ? option->text : "unset",
                     option->help);
        else
            snprintf(text, sizeof text, "Option, %.9g to %.9g, default %.9g: %s", option->minimum, option->maximum,
                     option->value, option->help);
        print_term(file, option->name, text);
    }
}

static void print_exit_codes(FILE *file)
{
    for (const char *line = help_exit_codes; *line; line = strchr(line, '\n') + 1) {
        fprintf(file, ".TP\n.B %c\n", line[0]);
        print_text(file, line + 3, strcspn(line + 3, "\n"));
        fputc('\n', file);
    }
}

void man_print(FILE *file)
{
    fprintf(file, ".TH FOVEA 1 \"\" \"fovea %s\" \"User Commands\"\n", fv_version());
    print_line(file, ".SH NAME\n", "fovea - perceptual quality of video, exact to the bit");
    fputs(".SH SYNOPSIS\n", file);
    for (int i = 0; i < command_count; i++)
        if (!commands[i]->hidden) {
            char text[256];
            snprintf(text, sizeof text, "fovea %s %s", commands[i]->name, commands[i]->synopsis);
            print_line(file, i ? ".br\n.B " : ".B ", text);
        }
    fputs(".SH COMMANDS\n", file);
    for (int i = 0; i < command_count; i++)
        if (!commands[i]->hidden)
            print_command(file, commands[i]);
    fputs(".SH METRICS\n", file);
    for (int i = 0; i < fv_metric_count(); i++)
        print_metric(file, fv_metric_info(i));
    fputs(".SH EXIT STATUS\n", file);
    print_exit_codes(file);
}

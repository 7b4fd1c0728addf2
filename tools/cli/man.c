#include "cli/man.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
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

/* Counts the commands that have the option, and prints their names, "score, map", into `names` unless it is NULL. */
static int commands_of(const ArgOption *option, char *names, size_t size)
{
    int count = 0;
    for (int i = 0; i < command_count; i++)
        for (const ArgOption *own = NULL; !commands[i]->hidden && (own = arg_next(commands[i], own));)
            if (own == option) {
                const size_t used = names && count ? strlen(names) : 0;
                if (names)
                    snprintf(names + used, size - used, "%s%s", count ? ", " : "", commands[i]->name);
                count++;
            }
    return count;
}

/* Names the options of a command that print_options() explains. */
static void print_shared(FILE *file, const Command *command)
{
    int count = 0;
    for (const ArgOption *option = NULL; (option = arg_next(command, option));)
        if (commands_of(option, NULL, 0) > 1) {
            fputs(count++ ? ", " : ".PP\nAlso, under OPTIONS: ", file);
            print_text(file, "--", 2);
            print_text(file, option->name, strlen(option->name));
        }
    if (count)
        fputc('\n', file);
}

/* Prints the options that several commands have. */
static void print_options(FILE *file)
{
    print_line(file, ".SH OPTIONS\n", "Several commands have these options; their names are in parentheses.");
    for (const ArgOption *option = options_table; option->name; option++) {
        char name[128], text[1024], names[128];
        if (commands_of(option, names, sizeof names) < 2)
            continue;
        const size_t used = strlen(help_option_text(text, sizeof text, option));
        snprintf(text + used, sizeof text - used, " (%s)", names);
        print_term(file, help_option_name(name, sizeof name, option), text);
    }
}

/* Prints the environment variables that the program reads, and the files that it keeps beside its outputs. */
static void print_places(FILE *file)
{
    static const char *const variables[][2] = {
        {"XDG_CACHE_HOME, HOME", "the folder of the cache: $XDG_CACHE_HOME/fovea or, without it, $HOME/.cache/fovea"},
        {"SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX",
         "the shard that 'fovea run' computes without --shard; only one of them may be set"},
        {"NO_COLOR", "if set and not empty, output to a terminal has no colours and no bold text"},
        {"TERM", "if unset or dumb, output to a terminal has no colours and no bold text either"},
        {"GITHUB_ACTIONS", "if true, errors and warnings are written as annotations of GitHub's workflows"},
        {"FOVEA_DEVICE", "the device of 'fovea vmaf', and of programs on fovea's libvmaf (auto)"},
        {"FOVEA_THREADS",
         "the number of threads of 'fovea vmaf' and these programs, instead of the one they ask for"},
        {"FOVEA_LOG", "how much they log: none, error, warning, info or debug"},
        {"FOVEA_VALIDATION", "if set to anything but 0, Vulkan's validation layer checks every call"},
    };
    static const char *const files[][2] = {
        {"$XDG_CACHE_HOME/fovea/selftest", "results of the self-tests of GPUs, by device and driver"},
        {"$XDG_CACHE_HOME/fovea/speeds",
         "measured speeds, by which --device auto chooses; 'fovea devices --speeds' prints them"},
        {"$XDG_CACHE_HOME/fovea/pipeline-*", "compiled Vulkan pipelines"},
        {"FILE.shards", "finished parts of 'fovea score -o FILE --resume', deleted when FILE is written"},
    };
    fputs(".SH ENVIRONMENT\n", file);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        print_term(file, variables[i][0], variables[i][1]);
    print_line(file, ".SH FILES\n", "Files of the cache may be deleted; fovea makes them again.");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        print_term(file, files[i][0], files[i][1]);
}

static void print_command(FILE *file, const Command *command)
{
    char name[128], text[1024];
    snprintf(name, sizeof name, "fovea %s %s", command->name, command->synopsis);
    print_line(file, ".SS ", name);
    print_paragraphs(file, command->description);
    for (const ArgOption *option = NULL; (option = arg_next(command, option));)
        if (commands_of(option, NULL, 0) < 2)
            print_term(file, help_option_name(name, sizeof name, option),
                       help_option_text(text, sizeof text, option));
    print_shared(file, command);
    if (command->example)
        print_example(file, command->example);
}

static void print_metric(FILE *file, const FvMetricInfo *metric)
{
    char text[512], range[64];
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
            snprintf(text, sizeof text, "Option, %s, default %.9g: %s", help_range(range, sizeof range, option),
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
    print_options(file);
    fputs(".SH METRICS\n", file);
    for (int i = 0; i < fv_metric_count(); i++)
        print_metric(file, fv_metric_info(i));
    fputs(".SH EXIT STATUS\n", file);
    print_exit_codes(file);
    print_places(file);
}

#include "cli/help.h"

#include <ctype.h>
#include <float.h>
#include <string.h>

#include "cli/style.h"
#include "fovea/fovea.h"
#include "remedy.h"

#define MANY 16   /* number of options above which help shows topics */
#define INDENT 34 /* column at which explanations of options begin */

const char help_exit_codes[] =
    "0  done\n"
    "1  a quality gate failed (--fail-below, --fail-above, diff --fail-if-worse, check "
    "--fail-on), or a comparison did (score --check, devices --report, bench --against)\n"
    "2  wrong usage: a command, option, metric or value\n"
    "3  an input cannot be read, or the two videos cannot be compared\n"
    "4  a device is missing or failed\n"
    "5  partial: stopped on request, refused by --strict, or failed after the first scores, "
    "which the report holds\n"
    "6  an output could not be written\n"
    "7  out of memory, file descriptors or threads\n";

void help_wrap(FILE *file, const char *text, int column, int indent)
{
    const int width = style_of_output().columns;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > width) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', file);
            column++;
        }
        fwrite(text, 1, (size_t)length, file);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

static void print_lines(FILE *file, const char *text, int indent)
{
    while (*text) {
        int length = (int)strcspn(text, "\n");
        fprintf(file, "%*s%.*s\n", indent, "", length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        char paragraph[1024];
        int length = (int)strcspn(text, "\n");
        snprintf(paragraph, sizeof paragraph, "%.*s", length, text);
        help_wrap(file, paragraph, 0, 0);
        text += length + (text[length] == '\n');
    }
}

char *help_option_name(char *text, size_t size, const ArgOption *option)
{
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(text, size, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    return text;
}

char *help_option_text(char *text, size_t size, const ArgOption *option)
{
    fv_remedy_spell(text, size, option->help);
    if (option->alias && !option->former_alias) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "; also --%s", option->alias);
    }
    return text;
}

char *help_range(char *text, size_t size, const FvOptionInfo *option)
{
    const bool open = option->maximum >= DBL_MAX;
    const int used = snprintf(text, size, open ? "of %.9g or more" : "in [%.9g, ", option->minimum);
    if (!open)
        snprintf(text + used, size - (size_t)used, "%.9g]", option->maximum);
    return text;
}

static void print_option(FILE *file, const ArgOption *option)
{
    char name[96];
    help_option_name(name, sizeof name, option);
    int column = fprintf(file, "  %s%s", option->letter ? "" : "    ", name);
    if (column > INDENT - 2) {
        fputc('\n', file);
        column = 0;
    }
    fprintf(file, "%*s", INDENT - column, "");
    char text[1024];
    help_wrap(file, help_option_text(text, sizeof text, option), INDENT, INDENT);
}

static int count_options(const Command *command)
{
    int count = 0;
    for (const ArgOption *option = NULL; (option = arg_next(command, option));)
        count++;
    return count;
}

/* Prints the topic of a section, its first word in lower case, into `text`, and returns `text`. */
static char *topic_of(char *text, size_t size, const char *section)
{
    snprintf(text, size, "%.*s", (int)strcspn(section, " "), section);
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return text;
}

/*
 * Prints the options of one topic; "": those marked `first`; "all": all options. false: the command has no such
 * topic.
 */
static bool print_options(FILE *file, const Command *command, const char *topic)
{
    const char *section = NULL;
    for (const ArgOption *option = NULL; (option = arg_next(command, option));) {
        const char *heading = *topic ? arg_section(command, option) : "Options that you need first";
        char name[32];
        topic_of(name, sizeof name, heading);
        if (*topic ? strcmp(topic, "all") && strcmp(topic, name) : !option->first)
            continue;
        if (!section || strcmp(section, heading))
            fprintf(file, "\n%s:\n", heading);
        section = heading;
        print_option(file, option);
    }
    return section != NULL;
}

static void print_topics(FILE *file, const Command *command)
{
    char text[1024], name[32];
    const char *section = NULL;
    size_t used =
        (size_t)snprintf(text, sizeof text, "'fovea help %s TOPIC' shows the other options. Topics:", command->name);
    for (const ArgOption *option = NULL; (option = arg_next(command, option));) {
        const char *heading = arg_section(command, option);
        if (section && !strcmp(section, heading))
            continue;
        section = heading;
        used += (size_t)snprintf(text + used, sizeof text - used, " %s,", topic_of(name, sizeof name, heading));
    }
    snprintf(text + used, sizeof text - used, " all");
    help_wrap(file, text, 0, 0);
}

bool help_topic(FILE *file, const Command *command, const char *topic)
{
    return print_options(file, command, topic) || !strcmp(topic, "all");
}

void help_command(FILE *file, const Command *command)
{
    const bool topics = count_options(command) > MANY;
    fprintf(file, "Usage: fovea %s%s%s\n\n", command->name, *command->synopsis ? " " : "", command->synopsis);
    print_paragraphs(file, command->description);
    const bool any = print_options(file, command, topics ? "" : "all");
    fprintf(file, "%s      --help", any ? "" : "\nOptions:\n");
    fprintf(file, "%*s%s\n", INDENT - 12, "", "show this text");
    if (topics) {
        fputc('\n', file);
        print_topics(file, command);
    }
    if (command->example) {
        fputs("\nExamples:\n", file);
        print_lines(file, command->example, 2);
    }
}

void help_overview(FILE *file)
{
    fprintf(file, "fovea %s: perceptual quality of video, exact to the bit\n\n", fv_version());
    fputs("Usage: fovea COMMAND [OPTION]...\n\nCommands:\n", file);
    for (int i = 0; i < command_count; i++)
        if (!commands[i]->hidden)
            fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'fovea COMMAND --help' explains a command, 'fovea --version' prints the version.\n\nStart with:\n"
          "  fovea demo\n  fovea score reference.mov distorted.mp4\n\nExit codes:\n",
          file);
    for (const char *line = help_exit_codes; *line; line = strchr(line, '\n') + 1) {
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
        help_wrap(file, text, fprintf(file, "  %c  ", line[0]), 5);
    }
}

/* Prints help texts from the commands' tables. */
#pragma once

#include <stdio.h>

#include "cli/commands.h"
#include "fovea/metric.h"

extern const char help_exit_codes[]; /* one line for each code: "0  done\n..." */

/*
 * Prints `text` broken at blanks to the width of standard output. The first line starts at column `column`, where the
 * cursor already is; the others are indented by `indent`.
 */
void help_wrap(FILE *file, const char *text, int column, int indent);

void help_overview(FILE *file);
void help_command(FILE *file, const Command *command);

/* Prints the range of a numeric option, "in [0, 1]" or "of 0 or more", into `text`, and returns `text`. */
char *help_range(char *text, size_t size, const FvOptionInfo *option);

/* Prints the options of one topic, or of "all"; false: the command has no such topic. */
bool help_topic(FILE *file, const Command *command, const char *topic);

/* Prints an option's names, "-r, --reference FILE", into `text`, and returns `text`. */
char *help_option_name(char *text, size_t size, const ArgOption *option);

/* Prints an option's help, with its alias, into `text`, and returns `text`. */
char *help_option_text(char *text, size_t size, const ArgOption *option);

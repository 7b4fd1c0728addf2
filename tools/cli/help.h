/* Help texts, printed from the commands' tables. */
#pragma once

#include <stdio.h>

#include "cli/commands.h"

extern const char help_exit_codes[]; /* "0  all went well\n..." */

/* Prints `text` broken at blanks to the width of standard output, every line but the first indented; the first stands
 * at column `column`. */
void help_wrap(FILE *file, const char *text, int column, int indent);

void help_overview(FILE *file);
void help_command(FILE *file, const Command *command);

/* The options of one topic, or "all"; false: the command has no such topic. */
bool help_topic(FILE *file, const Command *command, const char *topic);

/* "-r, --reference FILE" into `text`. Returns text. */
char *help_option_name(char *text, size_t size, const ArgOption *option);

/* Writes what an option does, with its other name. Returns `text`. */
char *help_option_text(char *text, size_t size, const ArgOption *option);

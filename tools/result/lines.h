/* Names and sentences that fit a terminal. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "cli/style.h"

/* At most `most` characters of UTF-8; of a longer name the middle is left out. Returns text. */
char *line_cut(char *text, size_t size, const char *name, int most);

/* The characters of a text, as columns. */
int line_width(const char *text);

/* Prints text broken at blanks after the style's columns, with parameters spelt as options; lines after the first are
 * indented. */
void line_wrap(FILE *file, const Style *style, int indent, const char *first, const char *text);

/* Fits names and sentences to the width of a terminal. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "cli/style.h"

/* Copies at most `most` characters of UTF-8 into `text`, leaving out the middle of a longer name. Returns `text`. */
char *line_cut(char *text, size_t size, const char *name, int most);

/* Returns the number of characters of a text, each of which takes one column. */
int line_width(const char *text);

/*
 * Prints `first`, then `text` broken at blanks to the width of the style, with parameters spelt as options. Lines
 * after the first are indented by `indent` columns.
 */
void line_wrap(FILE *file, const Style *style, int indent, const char *first, const char *text);

/* The style of text for people on standard output: bold, dim and red on a terminal, plain elsewhere. */
#pragma once

#include <stdbool.h>

#define STYLE_COLUMNS 100 /* maximum width of a line, also used if the terminal's width is unknown */
#define STYLE_TABLE 160   /* maximum width of a table whose rows would otherwise shorten names */

typedef struct Style {
    int columns;                           /* width of a line in characters */
    const char *bold, *dim, *alarm, *none; /* escape sequences, "" without colour; `none` ends the others */
} Style;

/* Replaces control characters in `text`, which file names may contain and a terminal would obey. Returns `text`. */
char *style_clean(char *text);

/*
 * Returns the style of standard output. Colour requires a terminal that is not "dumb", and NO_COLOR unset or empty.
 */
Style style_of_output(void);

/*
 * Returns the width for a table whose rows would otherwise shorten names: that of the terminal, at most STYLE_TABLE,
 * or that of a line.
 */
int style_table_columns(void);

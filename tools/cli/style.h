/* The style of text for people on standard output: bold, dim and red on a terminal, plain elsewhere. */
#pragma once

#include <stdbool.h>

#define STYLE_COLUMNS 100 /* at most, and where the width is not known */

typedef struct Style {
    int columns;                           /* columns of a line */
    const char *bold, *dim, *alarm, *none; /* "" without colour; none ends the others */
} Style;

/* Replaces control characters, which names of files may have, as they are commands to a terminal. Returns text. */
char *style_clean(char *text);

/* Colour needs a terminal that is not "dumb", and NO_COLOR unset or empty. */
Style style_of_output(void);

/* The frame of a page without scripts, in the style of the report page. Errors stay in the file. */
#pragma once

#include <stdio.h>

/* A text without markup. */
void sheet_put(FILE *file, const char *text);

/* Up to the heading, which follows, and `</header><main>`. */
void sheet_open(FILE *file, const char *title);

/* Behind the last section. */
void sheet_close(FILE *file);

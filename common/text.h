/*
 * Text that grows in memory while it is written as a file. Only this noun calls open_memstream(): the C library
 * closes such a file without complaint when memory ends just then, and leaves no text.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Sets *text to NULL and *size to 0 until fv_text_close(). NULL: out of memory. */
FILE *fv_text_open(char **text, size_t *size);

/* Sets *text, which the caller frees, and *size. false: out of memory; *text is NULL. `file` may be NULL. */
bool fv_text_close(FILE *file, char **text);

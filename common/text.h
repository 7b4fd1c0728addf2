/*
 * Text that grows in memory while it is written as a file. Only this noun calls open_memstream(): the C library
 * closes such a file without complaint when memory ends just then, and leaves no text.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * Opens a text, which is complete after fv_text_close(); until then *text is NULL and *size 0. NULL: memory ran out.
 */
FILE *fv_text_open(char **text, size_t *size);

/*
 * Closes a text and sets *text, which the caller frees, and *size. False: memory ran out; *text is NULL. `file` may
 * be NULL.
 */
bool fv_text_close(FILE *file, char **text);

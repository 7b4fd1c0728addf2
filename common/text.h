/*
 * Text that grows in memory while it is written through a stream. Only this file calls open_memstream(), because the
 * C library reports success when memory runs out while it closes such a stream, and leaves no text.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Opens a text. *text is NULL and *size 0 until fv_text_close() completes the text. NULL: memory ran out. */
FILE *fv_text_open(char **text, size_t *size);

/*
 * Closes a text and sets *text, which the caller frees, and *size. False: memory ran out; *text is NULL. `file` may
 * be NULL.
 */
bool fv_text_close(FILE *file, char **text);

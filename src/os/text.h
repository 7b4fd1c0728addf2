/* Text that grows in memory while it is written as a file. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* NULL when memory ends. The caller frees *text after fv_text_close(). */
FILE *fv_text_open(char **text, size_t *size);

/* Sets *text and *size. false: memory ended, and *text is NULL. `file` may be NULL. */
bool fv_text_close(FILE *file, char **text);

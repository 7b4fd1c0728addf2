/* Fields of a table with commas, as RFC 4180 has them. */
#pragma once

#include <stdio.h>

/* In quotation marks where the text needs them. */
void fv_csv_text(FILE *file, const char *text);

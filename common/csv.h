/* Fields of a table with commas, as RFC 4180 has them. */
#pragma once

#include <stdio.h>

/* Writes a field, in quotation marks if the text needs them. */
void fv_csv_text(FILE *file, const char *text);

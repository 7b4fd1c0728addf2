/* Writes fields of CSV tables (RFC 4180). */
#pragma once

#include <stdio.h>

/* Writes a field, in quotation marks if the text needs them. */
void fv_csv_text(FILE *file, const char *text);

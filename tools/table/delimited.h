/*
 * Reads tables in text form: a line is a row, and a separator divides its fields (RFC 4180, but fields contain no
 * line ends).
 */
#pragma once

#include <stdbool.h>

typedef struct Delimited {
    char *rest; /* the lines that are not read yet */
    int line;   /* number of the line read last, from 1 */
} Delimited;

/*
 * Begins to read `text` after the byte order mark that spreadsheets put before UTF-8. The functions below modify
 * `text`.
 */
Delimited delimited_open(char *text);

/* Returns the next line that is not blank, without its line end. NULL: the text has no further line. */
char *delimited_line(Delimited *table);

/*
 * Returns the next field of `*line`, without the blanks and quotation marks around it, and advances *line. NULL after
 * the last field.
 */
char *delimited_field(char **line, char separator);

/* Reads a field that is a finite decimal number; false: it is another text, such as inf, nan, 0x10 or 1e999. */
bool delimited_number(const char *field, double *value);

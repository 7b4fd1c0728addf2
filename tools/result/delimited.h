/* Tables as text, whose lines are rows and whose fields have a separator between them (RFC 4180, without line ends in
 * fields). */
#pragma once

typedef struct Delimited {
    char *rest; /* the lines not yet taken */
    int line;   /* the number of the line taken last, from 1 */
} Delimited;

/* Begins a text, which the functions below change, behind the mark with which spreadsheets begin UTF-8. */
Delimited delimited_open(char *text);

/* Takes the next line that is not blank, without its end. NULL: the text has no further line. */
char *delimited_line(Delimited *table);

/* Takes the next field of a line, without the blanks and quotation marks around it. NULL behind the last field. */
char *delimited_field(char **line, char separator);

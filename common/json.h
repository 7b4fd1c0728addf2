/* Writes JSON text, for the library and the command. Numbers follow the C locale of the calling thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FV_JSON_DEPTH 16

/* Starts as {.file = ...}. Errors stay in the file: ask ferror at the end. */
typedef struct FvJson {
    FILE *file;
    int depth;
    int line;     /* containers deeper than this stand on one line; 0: none */
    bool many;    /* the open container has a member already */
    bool in_html; /* '<' is written as \u003c, so that no text ends the element of a page that the JSON lies in */
    char close[FV_JSON_DEPTH];
} FvJson;

/* Opens a container. `key` is NULL in arrays and at the top. `bracket` is '{' or '['. */
void fv_json_open(FvJson *json, const char *key, char bracket);

/* Opens a container whose whole content is on one line. */
void fv_json_open_line(FvJson *json, const char *key, char bracket);

void fv_json_close(FvJson *json);

/* Writes a text. Bytes that are not UTF-8 become U+FFFD. NULL becomes null. */
void fv_json_text(FvJson *json, const char *key, const char *value);

/* A text whose characters the caller writes to the file in between; they need no escapes. */
void fv_json_begin_text(FvJson *json, const char *key);
void fv_json_end_text(FvJson *json);
/* Returns the number of bytes of the UTF-8 character at `text`; 0: there is none (RFC 3629, section 4). */
int fv_utf8_length(const char *text);

/* Returns whether fv_json_text() writes every byte of the text unchanged. */
bool fv_json_is_text(const char *value);

void fv_json_int(FvJson *json, const char *key, int64_t value);

/* Writes a number as %.17g, which reads back as the same value; "inf", "-inf" and "nan" as strings. */
void fv_json_real(FvJson *json, const char *key, double value);
void fv_json_bool(FvJson *json, const char *key, bool value);
void fv_json_null(FvJson *json, const char *key);

/* Writes JSON text, for the library and the command. Numbers follow the C locale of the calling thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FV_JSON_DEPTH 16

/* A writer. Initialise it as {.file = ...}. The stream remembers write errors: check ferror() at the end. */
typedef struct FvJson {
    FILE *file;
    int depth;
    int line;     /* containers nested deeper than this are written on one line; 0: none are */
    bool many;    /* the open container has at least one member */
    bool in_html; /* '<' is written as \u003c, so that no text ends the page's element that contains the JSON */
    char close[FV_JSON_DEPTH];
} FvJson;

/* Opens a container. `key` is NULL in arrays and at the top. `bracket` is '{' or '['. */
void fv_json_open(FvJson *json, const char *key, char bracket);

/* Opens a container whose whole content is on one line. */
void fv_json_open_line(FvJson *json, const char *key, char bracket);

void fv_json_close(FvJson *json);

/* Writes a text. Bytes that are not UTF-8 become U+FFFD. NULL becomes null. */
void fv_json_text(FvJson *json, const char *key, const char *value);

/* Begin and end a text whose characters the caller writes to the file in between. They must need no escapes. */
void fv_json_begin_text(FvJson *json, const char *key);
void fv_json_end_text(FvJson *json);
/* Returns the number of bytes of the UTF-8 character at `text`; 0: there is none (RFC 3629, section 4). */
int fv_utf8_length(const char *text);

/* Returns whether fv_json_text() writes every byte of the text unchanged. */
bool fv_json_is_text(const char *value);

void fv_json_int(FvJson *json, const char *key, int64_t value);

/* Writes a number as %.17g, which reads back as the same value; "inf", "-inf" and "nan" as strings. */
void fv_json_real(FvJson *json, const char *key, double value);
/* Writes a number as fv_json_real() does, and NaN as null. */
void fv_json_number(FvJson *json, const char *key, double value);

void fv_json_bool(FvJson *json, const char *key, bool value);
void fv_json_null(FvJson *json, const char *key);

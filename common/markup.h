/*
 * Writes markup of pages and pictures: HTML, SVG and XML. No other code writes it, which tests/tree/owners.py checks.
 * Only literals of the caller are markup; every other text is escaped.
 */
#pragma once

#include <stdio.h>

#include "base64.h"
#include "json.h"
#include "page.h"

/* A writer. Initialise it as {.file = ...}. The stream remembers write errors: check ferror() at the end. */
typedef struct FvMarkup {
    FILE *file;
} FvMarkup;

/*
 * Prints as printf() does. The format must be a literal and is markup; %s is text for an element or for an attribute
 * in quotation marks. NULL is an empty text. Bytes that are not UTF-8 become U+FFFD, and control characters are left
 * out. Conversions: %s, %.*s, %c of ASCII, %d, %u, %lld (and PRId64), %zu, %g and %f with flags, width and precision.
 */
#define fv_markup(markup, ...) fv_markup_print((markup), "" __VA_ARGS__)

__attribute__((format(printf, 2, 3))) void fv_markup_print(FvMarkup *markup, const char *format, ...);

/* Writes the name of an attribute. ASCII that a name cannot have becomes '_'. */
void fv_markup_name(FvMarkup *markup, const char *name);

/* Writes a file of web/ unchanged. */
void fv_markup_file(FvMarkup *markup, const FvPageText *text);

/* Writes a file of web/ inside an element, "style" or "script". */
void fv_markup_element(FvMarkup *markup, const char *element, const FvPageText *text);

/* Return writers into the same file: of a JSON text in a script element, and of Base64 in an attribute. */
FvJson fv_markup_json(FvMarkup *markup);
FvBase64 fv_markup_base64(FvMarkup *markup);

/*
 * Writes the beginning and the end of a page in the style of the report page. The caller finds write errors by
 * ferror().
 */
#pragma once

#include "markup.h"

/*
 * Writes the page up to its heading. The caller then writes the heading and `</header><main>`. `script`: the script
 * that html_close() will add, or NULL.
 */
void html_open(FvMarkup *page, const char *title, const FvPageText *style, const FvPageText *script);

/* Writes the end of the page, after its last section. */
void html_close(FvMarkup *page, const FvPageText *script);

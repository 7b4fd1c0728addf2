/* The frame of a page in the style of the report page. Errors stay in the file. */
#pragma once

#include "markup.h"

/* Up to the heading, which follows, and `</header><main>`. `script`: the page has it at its end; NULL: it has none.
 */
void sheet_open(FvMarkup *page, const char *title, const FvPageText *style, const FvPageText *script);

/* Behind the last section. */
void sheet_close(FvMarkup *page, const FvPageText *script);

/* The frame of a page without scripts, in the style of the report page. Errors stay in the file. */
#pragma once

#include "markup.h"

/* Up to the heading, which follows, and `</header><main>`. */
void sheet_open(FvMarkup *page, const char *title);

/* Behind the last section. */
void sheet_close(FvMarkup *page);

/* Writes the page of BD-rates: a table, and the two curves of each score with the area between them. */
#pragma once

#include "page/chart.h"

/*
 * Writes the page for the charts of one pair of tables. A comparison that was refused gets a row with the reason. The
 * caller finds write errors by ferror(file). false: out of memory for a chart, so the page is incomplete.
 */
bool bd_page_write(FILE *file, const Chart *charts, int count);

/*
 * Prints a sentence such as "AV1 needs 37.4 % fewer bits than H.264 for the same VMAF, and has +9.0 at the same
 * rate." false: the comparison was refused.
 */
bool bd_page_tell(char *text, size_t size, const Chart *chart);

/* Prints why a comparison was refused, with the name of the side, and returns `text`. */
const char *bd_page_reason(char *text, size_t size, const Chart *chart);

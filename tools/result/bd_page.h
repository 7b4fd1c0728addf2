/* The page of BD-rates: a table, and the two curves of each score with the area between them. */
#pragma once

#include "result/chart.h"

/* Charts of one pair of tables; what was refused has a row with the reason. Errors stay in the file. false: out of
 * memory for a chart, and the page is not whole. */
bool bd_page_write(FILE *file, const Chart *charts, int count);

/* "AV1 needs 37.4 % fewer bits than H.264 for the same VMAF, and has +9.0 at the same rate." False: it was refused.
 */
bool bd_page_tell(char *text, size_t size, const Chart *chart);

/* Why a comparison was refused, with the name of the side. Returns text. */
const char *bd_page_reason(char *text, size_t size, const Chart *chart);

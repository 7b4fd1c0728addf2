/* The page of BD-rates: a table, and the two curves of each score with the area between them. */
#pragma once

#include "result/chart.h"

/* Charts of one pair of tables; what was refused has a row with the reason. Errors stay in the file. false: out of
 * memory for a chart, and the page is not whole. */
bool bd_page_write(FILE *file, const Chart *charts, int count);

/* Black bars at the edges of a frame. docs/scaling.md */
#pragma once

#include <stdint.h>

#include "fovea/frame.h"

enum { FV_BAR_TOP, FV_BAR_BOTTOM, FV_BAR_LEFT, FV_BAR_RIGHT, FV_BARS };

/*
 * Finds how many lines from each edge on are black: their mean luma is at most 8 codes of 8 bits above black. `rows`
 * and `columns` have the sum of luma of every row and column.
 */
void fv_find_black_lines(int lines[FV_BARS], const FvFormat *format, const uint32_t *rows, const uint32_t *columns);

/* RGB made Y'CbCr 4:4:4 of limited range, exactly, and Y'CbCr made RGB of 16 bits. docs/scaling.md */
#pragma once

#include "fovea/fovea.h"

/* Returns whether there is a rule for these matrix coefficients of ITU-T H.273: BT.709, BT.601 and BT.2020. */
bool fv_rgb_has_matrix(int matrix);

/* A frame of 4:4:4 whose planes are R, G and B of full range becomes Y', Cb and Cr of limited range and equal depth.
 */
void fv_rgb_convert(FvFrame *frame, int matrix);

/*
 * The other way, of 16 bits: Y', Cb and Cr of 4:4:4 and this range become R, G and B of full range. `middle` is the
 * code of no colour.
 */
void fv_rgb_restore(FvFrame *frame, int matrix, FvRange range, int middle);

/* A row of samples s becomes (alpha s + (peak - alpha) under) / peak, to the nearest. Both rows are of this depth. */
void fv_rgb_flatten(void *row, const void *alpha, int count, int depth, int under);

/* RGB made Y'CbCr 4:4:4 of limited range, exactly. docs/scaling.md */
#pragma once

#include "fovea/fovea.h"

/* Whether there is a rule for matrix coefficients of ITU-T H.273: BT.709, BT.601 and BT.2020. */
bool fv_rgb_has_matrix(int matrix);

/* A frame of 4:4:4 whose planes are R, G and B of full range becomes Y', Cb and Cr of limited range and equal depth.
 */
void fv_rgb_convert(FvFrame *frame, int matrix);

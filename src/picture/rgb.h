/* Converts RGB to limited-range Y'CbCr 4:4:4, exactly, and Y'CbCr to 16-bit RGB. docs/scaling.md */
#pragma once

#include "fovea/fovea.h"

/* Returns whether there is a rule for these matrix coefficients of ITU-T H.273: BT.709, BT.601 and BT.2020. */
bool fv_rgb_has_matrix(int matrix);

/* Converts a frame of full-range R, G and B in place to limited-range Y', Cb and Cr of the same depth. */
void fv_rgb_convert(FvFrame *frame, int matrix);

/*
 * Converts a 16-bit 4:4:4 frame of Y', Cb and Cr in this range in place to full-range R, G and B. middle: chroma code
 * of gray.
 */
void fv_rgb_restore(FvFrame *frame, int matrix, FvRange range, int middle);

/*
 * Replaces each sample s of a row by (alpha s + (peak - alpha) under) / peak, rounded to nearest; an `associated`
 * one, which is multiplied by alpha already, by s + (peak - alpha) under / peak, clipped. Both rows have this depth.
 */
void fv_rgb_flatten(void *row, const void *alpha, int count, int depth, int under, bool associated);

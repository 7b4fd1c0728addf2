/* Checks that players show two videos upright and in one shape, and adds black bars otherwise. */
#pragma once

#include "score/comparison.h"

/*
 * Checks the rotations. FV_ERROR_INPUT: players rotate only one of the videos by a quarter turn. Warns if players
 * show only one of the videos upside down.
 */
FvStatus fv_shape_check_rotation(FvComparison *comparison, FvError *error);

/* Returns the end of a refusal of sizes, which names `stream` for a file with several videos; else "". */
const char *fv_shape_other_stream(const FvComparison *comparison);

/* Checks the shapes after cropping. FV_ERROR_INPUT, with the remedy: they differ by more than a sample. */
FvStatus fv_shape_check(FvComparison *comparison, FvError *error);

/*
 * With FV_FIT_PAD, chooses where frames of different shapes are placed within width x height. Call it before both
 * frames get that size.
 */
void fv_shape_pad(FvComparison *comparison, int width, int height);

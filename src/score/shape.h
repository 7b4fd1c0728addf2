/* Whether players show two videos upright and in one shape, and black bars where they do not. */
#pragma once

#include "score/comparison.h"

/* FV_ERROR_INPUT where players turn one of the videos on its side; warns where they turn one of them upside down. */
FvStatus fv_shape_check_rotation(FvComparison *comparison, FvError *error);

/* What a refusal of sizes adds where a file has several videos; else "". */
const char *fv_shape_other_stream(const FvComparison *comparison);

/* After cropping. FV_ERROR_INPUT, with the remedy, where shapes differ by more than a sample. */
FvStatus fv_shape_check(FvComparison *comparison, FvError *error);

/* With FV_FIT_PAD, before both get the size width x height: chooses where pictures of other shapes lie in it. */
void fv_shape_pad(FvComparison *comparison, int width, int height);

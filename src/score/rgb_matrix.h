/*
 * The matrices of a pair of which one is RGB. RGB has none: its reader converts it by the matrix of the other video,
 * unless the caller names one. Y'CbCr that states none against RGB gets the one that players take for its size.
 */
#pragma once

#include "fovea/fovea.h"

/* Copies of both infos (NULL stays NULL) with these matrices. `guessed`: the matrix of that side follows its size. */
void fv_rgb_matrix_choose(const FvSourceInfo *const info[2], FvSourceInfo chosen[2], bool guessed[2]);

/* Before the first frame is read: readers that convert RGB do it by these matrices. Either source may be NULL. */
void fv_rgb_matrix_settle(FvSource *const source[2]);

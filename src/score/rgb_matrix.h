/*
 * Chooses the matrices of a pair of which one video is RGB. RGB has no matrix: its reader converts it by the matrix
 * of the other video, unless the caller names one. Y'CbCr without a stated matrix gets the one that players use for
 * its size.
 */
#pragma once

#include "fovea/fovea.h"

/*
 * Copies both infos with the chosen matrices; an info that is NULL is not copied. `guessed`: the matrix of that side
 * follows from its size.
 */
void fv_rgb_matrix_choose(const FvSourceInfo *const info[2], FvSourceInfo chosen[2], bool guessed[2]);

/*
 * Sets the matrices by which readers convert RGB. Call it before the first frame is read. Either source may be NULL.
 */
void fv_rgb_matrix_settle(FvSource *const source[2]);

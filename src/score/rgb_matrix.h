/*
 * Chooses the matrices of two videos of which one is RGB. The reader of RGB converts it by the matrix of the other
 * video, unless the caller names a matrix. Y'CbCr without a stated matrix gets the matrix that players use for its
 * size.
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

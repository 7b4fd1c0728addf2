/* Copies the parameters of a source, so that they outlive the caller's. */
#pragma once

#include "fovea/fovea.h"

/*
 * Copies parameters with every string. `cancel` belongs to the caller. The caller frees the copy, also after a
 * failure.
 */
FvStatus fv_source_params_copy(FvSourceParams *copy, const FvSourceParams *given, FvError *error);
/*
 * Returns the parameters for reading luma only. RGB is converted by BT.709's weights, also if metrics get it as RGB.
 */
FvSourceParams fv_source_params_luma(const FvSourceParams *params);

void fv_source_params_free(FvSourceParams *copy);

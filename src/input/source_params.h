/* A copy of the parameters of a source that outlives the caller's. */
#pragma once

#include "fovea/fovea.h"

/* Copies every string as well. `cancel` stays the caller's. After a failure the copy is to be freed all the same. */
FvStatus fv_source_params_copy(FvSourceParams *copy, const FvSourceParams *given, FvError *error);
/* The same for what looks at luma: RGB that is kept for metrics is converted, by BT.709's weights. */
FvSourceParams fv_source_params_luma(const FvSourceParams *params);

void fv_source_params_free(FvSourceParams *copy);

/* What keeps two videos from being compared, and the parameters with which they are. */
#pragma once

#include "score/comparison.h"

/* Notes a misfit, before the caller fails with a sentence of its own. `what` is a format. */
__attribute__((format(printf, 3, 4))) void fv_misfit_note(FvComparison *comparison, const char *remedy,
                                                          const char *what, ...);

/*
 * After `decide` has refused a comparison with `error`: tries its remedy on a copy, and the remedies of all refusals
 * behind it. Where there are several, the error names them all, with the parameters that answer them together.
 */
FvStatus fv_misfit_name_all(const FvComparison *comparison, FvStatus (*decide)(FvComparison *, FvError *),
                            FvError *error);

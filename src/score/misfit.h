/* Misfits: the reasons why two videos cannot be compared, and the parameters with which they can. */
#pragma once

#include "score/comparison.h"

/* Records a misfit, before the caller fails with its own sentence. `what` is a format. */
__attribute__((format(printf, 3, 4))) void fv_misfit_note(FvComparison *comparison, const char *remedy,
                                                          const char *what, ...);

/*
 * Tries the remedy of a comparison that `decide` has refused with `error` on a copy, and then the remedies of all
 * later refusals. If there are several, the error names all of them with the parameters that resolve them together.
 */
FvStatus fv_misfit_name_all(const FvComparison *comparison, FvStatus (*decide)(FvComparison *, FvError *),
                            FvError *error);

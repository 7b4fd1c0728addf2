/* Misfits: the reasons why two videos cannot be compared, and the parameters with which they can. */
#pragma once

#include "score/comparison.h"

/* Records a misfit. Call it before failing with a message of your own. `what` is a printf format. */
__attribute__((format(printf, 3, 4))) void fv_misfit_note(FvComparison *comparison, const char *remedy,
                                                          const char *what, ...);

/*
 * Extends the error of a comparison that `decide` has refused: applies the remedy to a copy of the comparison,
 * decides again, and continues until nothing is refused. If there are several misfits, the error names all of them
 * with the parameters that resolve them together.
 */
FvStatus fv_misfit_name_all(const FvComparison *comparison, FvStatus (*decide)(FvComparison *, FvError *),
                            FvError *error);

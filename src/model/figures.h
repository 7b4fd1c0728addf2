/* The built-in models, in alphabetical order. */
#ifndef FV_MODEL_FIGURES_H
#define FV_MODEL_FIGURES_H

#include "model/model.h"

extern const FvModel fv_model_figures[];
extern const int fv_model_figures_count;

#endif

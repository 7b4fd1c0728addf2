/* The built-in models, in alphabetical order. */
#pragma once

#include "model/model.h"

extern const FvModel fv_model_figures[];
extern const int fv_model_figures_count;

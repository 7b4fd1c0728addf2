/* fovea.Map: numbers of a picture, which belong to Python. */
#pragma once

#include "core.h"

extern PyType_Spec map_spec;

/* A copy of a map's numbers, row by row; NULL: no memory. */
float *map_copy(const FvMap *map);

/* Takes the numbers, of malloc, also on failure. `metric` is the metric's name, which lives as long as the library.
 */
PyObject *map_make(Core *core, float *numbers, const FvMap *map, const char *metric);

/* fovea.Map: the values of a map, which Python owns. */
#pragma once

#include "core.h"

extern PyType_Spec map_spec;

/* Copies a map's values, row by row; NULL: out of memory. */
float *map_copy(const FvMap *map);

/*
 * Makes a fovea.Map, which frees `numbers` (from malloc); on failure they are freed at once. `metric`: the metric's
 * name, which must live as long as the library.
 */
PyObject *map_make(Core *core, float *numbers, const FvMap *map, const char *metric);

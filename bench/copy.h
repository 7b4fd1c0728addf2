/* Measures the speed of plain copies on a GPU. */
#pragma once

#include "fovea/fovea.h"

/* Bytes a second; inside: read plus written. */
typedef struct CopyRates {
    double to, from, inside;
} CopyRates;

/* Also prints them. Devices take turns. */
FvStatus copy_measure(const char *const devices[], int count, double seconds, CopyRates rates[], FvError *error);

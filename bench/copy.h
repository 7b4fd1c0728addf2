/* Measures the speed of plain copies on a GPU. */
#pragma once

#include "fovea/fovea.h"

/* Bytes per second: to the device, from it, and within its memory (bytes read plus bytes written). */
typedef struct CopyRates {
    double to, from, inside;
} CopyRates;

/* Measures and prints the rates of the devices, in alternation. */
FvStatus copy_measure(const char *const devices[], int count, double seconds, CopyRates rates[], FvError *error);

#pragma once

#include_next <math.h>

double windows_log10(double x); /* with the bits of glibc, nearly always: docs/packaging.md */
#define log10(x) windows_log10(x)

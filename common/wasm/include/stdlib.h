#pragma once

#include_next <stdlib.h>

/* ENOSYS: no part of the library that a module has makes temporary files of unknown names. */
int mkstemp(char *pattern);

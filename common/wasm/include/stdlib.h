#pragma once

#include_next <stdlib.h>

/* Fails with ENOSYS: no code in a WebAssembly module creates temporary files with random names. */
int mkstemp(char *pattern);

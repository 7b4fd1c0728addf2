/* The processors that this process may use. The public part is fv_processors() in fovea/device.h. */
#pragma once

#include "fovea/device.h"

/*
 * Returns the quota of this process's control groups, in processors, rounded up; 0: there is none. The system's files
 * are read under the folder `root`, "" except in tests.
 */
int fv_processors_quota(const char *root);

/* Prints the model name of the first processor, or "processor". */
void fv_processor_title(char *title, size_t size);

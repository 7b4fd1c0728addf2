/* The processors that this process may use. The public part is fv_processors() in fovea/device.h. */
#pragma once

#include "fovea/device.h"

/*
 * The quota of this process's control groups, in processors, rounded up; 0: there is none. The files that describe it
 * are under the folder `root`; "" for this system.
 */
int fv_processors_quota(const char *root);

/* The model of the first processor, or "processor". */
void fv_processor_title(char *title, size_t size);

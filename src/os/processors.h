/* The processors that this process may use. The public part is fv_processors() in fovea/device.h. */
#ifndef FV_OS_PROCESSORS_H
#define FV_OS_PROCESSORS_H

#include "fovea/device.h"

/* The quota of the control groups that the files under the folder `root` describe ("" for this system), in
 * processors, rounded up; 0: there is none. */
int fv_processors_quota(const char *root);

/* The name of the first one, or "processor". */
void fv_processor_title(char *title, size_t size);

#endif

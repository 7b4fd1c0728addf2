/* Runs a test on every GPU of this machine, including software Vulkan, and skips it if there is none. */
#pragma once

#include "tap/tap.h"

/* Runs the test on each GPU. `paths` are two empty files, which are removed afterwards. Returns the exit status of
 * the program. */
int each_gpu(void (*test)(Tap *tap, const char *device, const char *paths[2]));

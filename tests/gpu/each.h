/* Runs a test on every GPU of this machine, software Vulkan included, and skips it where there is none. */
#pragma once

#include "tap/tap.h"

/* `paths` are two empty files, which are removed afterwards. Returns the exit status of the program. */
int each_gpu(void (*test)(Tap *tap, const char *device, const char *paths[2]));

/* Decides whether "auto" divides the frames of a long run among several GPUs. */
#pragma once

#include "scoring/scoring.h"

/*
 * Writes the devices that share `samples` luma samples of coded video, such as "cuda:0,cuda:1", to list, which
 * becomes "" if a single device should score them: the work is short, or the machine has no second GPU like the one
 * that "auto" takes. Returns whether there are several.
 */
bool several_choose(char *list, size_t size, const FvDeviceInfo *const *devices, int count, double samples);

/* Does the same for an opened run with the device "auto". It looks for GPUs only if the work is long enough. */
bool several_find(char *list, size_t size, const Opened *opened);
